import type { Change } from "@idewire/core/internal";
import type { PageChangeTexts, PageClient, PageMethods } from "@idewire/devtools/internal";
import { type Signal, signal } from "@preact/signals";
import type { ChangeSource } from "../state/changes.ts";
import { askFolder, type FolderBehind } from "./ask-folder.ts";

type Decide = PageMethods["changes/decide"];

/** The proposals and edits of agents in the served folder. */
export class FolderChanges implements ChangeSource {
  readonly all: Signal<readonly Change[]> = signal([]);
  readonly notify: (words: string) => void;
  readonly #folder: FolderBehind;

  constructor(folder: FolderBehind, notify: (words: string) => void) {
    this.#folder = folder;
    this.notify = notify;
  }

  /** Subscribes on a new connection. */
  listen(client: PageClient): void {
    client.on("live/changes", ({ changes }) => {
      this.all.value = changes;
    });
  }

  read(id: string): Promise<PageChangeTexts> {
    return askFolder(this.#folder, (client) => client.request("changes/read", { id }));
  }

  async decide(
    { id, path }: Change,
    decision: Omit<Decide["params"], "id">,
  ): Promise<Decide["result"]> {
    await this.#folder.flush(path);
    const params = { id, ...decision };
    return askFolder(this.#folder, (client) => client.request("changes/decide", params));
  }

  comment(
    id: string,
    comments: PageMethods["changes/comment"]["params"]["comments"],
  ): Promise<PageMethods["changes/comment"]["result"]> {
    const send = (client: PageClient) => client.request("changes/comment", { id, comments });
    return askFolder(this.#folder, send);
  }

  async undoTurn({ id, turn }: Change): Promise<PageMethods["changes/undo-turn"]["result"]> {
    for (const each of this.all.peek()) if (each.turn === turn) await this.#folder.flush(each.path);
    return askFolder(this.#folder, (client) => client.request("changes/undo-turn", { id }));
  }
}
