import type { McpServer } from "@idewire/core/server";
import { CommentError } from "../errors.ts";
import type { CommentStore } from "../store/comment-store.ts";
import { resourcesOf, textsOf } from "./resources.ts";

/** The last published content of a file: a text for each resource that contains part of it. */
type Published = ReadonlyMap<string, string>;

const nothing: Published = new Map();

/** Notifies clients of resources changed by a change of comments or of a source. */
export class ChangeNotices {
  readonly #store: CommentStore;
  readonly #server: McpServer<undefined>;
  readonly #published = new Map<string, Published>();
  /** The sources that have comments. */
  readonly #commented: Promise<Set<string>>;
  #last: Promise<unknown>;

  constructor(store: CommentStore, server: McpServer<undefined>) {
    this.#store = store;
    this.#server = server;
    this.#commented = store.list().then(
      (paths) => new Set(paths),
      () => new Set<string>(),
    );
    this.#last = this.#commented;
  }

  /**
   * Processes one file at a time; resources whose text is unchanged are not notified. A failure affects neither
   * the server nor later notifications.
   */
  changed(filePath: string): void {
    this.#last = this.#last
      .then(() => this.#notify(filePath))
      .catch(() => this.#published.delete(filePath));
  }

  async #notify(filePath: string): Promise<void> {
    const now = await this.#read(filePath);
    const commented = await this.#commented;
    const isNew = !commented.has(filePath);
    const before = this.#published.get(filePath) ?? (isNew ? nothing : undefined);
    for (const uri of resourcesOf(filePath)) {
      if (before === undefined || before.get(uri) !== now.get(uri))
        this.#server.resourceUpdated(uri);
    }
    if (now.size > 0) {
      this.#published.set(filePath, now);
      commented.add(filePath);
    } else {
      this.#published.delete(filePath);
      commented.delete(filePath);
    }
    if (isNew === now.size > 0) this.#server.resourceListChanged();
  }

  /** For a file that cannot be read, the error. */
  async #read(filePath: string): Promise<Published> {
    try {
      return textsOf(await this.#store.file(filePath));
    } catch (error) {
      if (!(error instanceof CommentError) || error.name === "FileNotFound") return new Map();
      const text = JSON.stringify(error.data);
      return new Map(resourcesOf(filePath).map((uri) => [uri, text]));
    }
  }
}
