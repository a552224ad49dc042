import type { CommentMethods, PageClient, PageCommentAct } from "@idewire/devtools/internal";
import { type Signal, signal } from "@preact/signals";
import type { CommentSource } from "../state/comments.ts";
import { askFolder, type FolderBehind } from "./ask-folder.ts";

type Result<M extends keyof CommentMethods> = CommentMethods[M]["result"];

/** The comments of the served folder. */
export class FolderComments implements CommentSource {
  readonly version: Signal<number> = signal(0);
  readonly #folder: FolderBehind;

  constructor(folder: FolderBehind) {
    this.#folder = folder;
  }

  /** Subscribes to changes on a new connection. */
  listen(client: PageClient): void {
    client.on("comments/changed", () => this.changed());
  }

  /** Comments may have changed. */
  changed(): void {
    this.version.value += 1;
  }

  async file(filePath: string): Promise<Result<"comments/file">> {
    await this.#folder.flush(filePath);
    return this.#ask((client) => client.request("comments/file", { filePath }));
  }

  search(typed: string): Promise<Result<"comments/search">> {
    return this.#ask((client) => client.request("comments/search", { typed }));
  }

  async run(act: PageCommentAct): Promise<Result<"comments/act">> {
    await this.#folder.flush(act.filePath);
    const result = await this.#ask((client) => client.request("comments/act", act));
    this.changed();
    return result;
  }

  #ask<T>(act: (client: PageClient) => Promise<T>): Promise<T> {
    return askFolder(this.#folder, act);
  }
}
