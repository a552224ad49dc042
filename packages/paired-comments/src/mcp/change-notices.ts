import type { McpServer } from "@idewire/core/server";
import { CommentError } from "../errors.ts";
import type { CommentStore } from "../store/comment-store.ts";
import { resourcesOf, textsOf } from "./resources.ts";

/** What subscribers have been told of a file: a text for each resource with something of it. */
type Told = ReadonlyMap<string, string>;

const nothing: Told = new Map();

/** Tells clients what a change of comments, or of a source, has changed of the resources. */
export class ChangeNotices {
  readonly #store: CommentStore;
  readonly #server: McpServer<undefined>;
  readonly #told = new Map<string, Told>();
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
   * One file after another; a change that makes no difference to a resource is not told of it. One that cannot be
   * told of neither ends the server nor keeps back the next.
   */
  changed(filePath: string): void {
    this.#last = this.#last
      .then(() => this.#tell(filePath))
      .catch(() => this.#told.delete(filePath));
  }

  async #tell(filePath: string): Promise<void> {
    const now = await this.#read(filePath);
    const commented = await this.#commented;
    const isNew = !commented.has(filePath);
    const before = this.#told.get(filePath) ?? (isNew ? nothing : undefined);
    for (const uri of resourcesOf(filePath)) {
      if (before === undefined || before.get(uri) !== now.get(uri))
        this.#server.resourceUpdated(uri);
    }
    if (now.size > 0) {
      this.#told.set(filePath, now);
      commented.add(filePath);
    } else {
      this.#told.delete(filePath);
      commented.delete(filePath);
    }
    if (isNew === now.size > 0) this.#server.resourceListChanged();
  }

  /** Of a file that cannot be read, why. */
  async #read(filePath: string): Promise<Told> {
    try {
      return textsOf(await this.#store.file(filePath));
    } catch (error) {
      if (!(error instanceof CommentError) || error.name === "FileNotFound") return new Map();
      const text = JSON.stringify(error.data);
      return new Map(resourcesOf(filePath).map((uri) => [uri, text]));
    }
  }
}
