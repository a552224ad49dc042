import type { Change } from "@idewire/core/internal";
import type { PageChangeTexts, PageMethods } from "@idewire/devtools/internal";
import type { ReadonlySignal } from "@preact/signals";

type Decide = PageMethods["changes/decide"];

/** What agents have proposed and written, to be read. */
export interface ReadableChanges {
  /** Newest first. */
  readonly all: ReadonlySignal<readonly Change[]>;
  /** @throws Error for the person to read */
  read(id: string): Promise<PageChangeTexts>;
}

/** The proposals and edits of agents in the folder behind the page. */
export interface ChangeSource extends ReadableChanges {
  /** Retains or undoes an edit, or a hunk of it. @throws Error for the person to read */
  decide(change: Change, decision: Omit<Decide["params"], "id">): Promise<Decide["result"]>;
  /** Sends comments on lines of a change to the agents. @throws Error for the person to read */
  comment(
    id: string,
    comments: PageMethods["changes/comment"]["params"]["comments"],
  ): Promise<PageMethods["changes/comment"]["result"]>;
  /** Shows the person words, also after the review of a change has closed. */
  notify(words: string): void;
  /** Undoes all edits of the turn of one. @throws Error for the person to read */
  undoTurn(change: Change): Promise<PageMethods["changes/undo-turn"]["result"]>;
}
