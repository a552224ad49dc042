import type { CommentMethods, PageComment, PageCommentAct } from "@idewire/devtools/internal";
import type { ReadonlySignal } from "@preact/signals";

type Result<M extends keyof CommentMethods> = CommentMethods[M]["result"];

/** Where comments are kept: the simulated workspace, or a folder behind the page. */
export interface CommentSource {
  /** Counts up when they have changed, whoever changed them. */
  readonly version: ReadonlySignal<number>;
  /** Those of a file, where they are in the text on the screen. @throws Error for the person to read */
  file(filePath: string): Promise<Result<"comments/file">>;
  /** Those of all files that match. @throws Error for the person to read */
  search(typed: string): Promise<Result<"comments/search">>;
  /** Adds, changes, moves, deletes. @throws Error for the person to read */
  run(act: PageCommentAct): Promise<Result<"comments/act">>;
}

/** The comments of the page, once they are loaded, as views outside of them see them. */
export interface LoadedComments {
  /** Of the open file, where they are now; orphans among them. */
  readonly shown: ReadonlySignal<readonly PageComment[]>;
  /** Whether the list is on the screen. */
  readonly isOpen: ReadonlySignal<boolean>;
  /** Opens the list, or closes it. */
  toggle(): void;
  /** Goes to the next comment of the open file, or to the one before. */
  step(by: 1 | -1): void;
  /** Shows the comment of the line where the cursor is, or begins one. */
  commentHere(): void;
  /** Goes to the search. */
  find(): void;
  /** Does what a person wants, and shows it. @returns whether it was done */
  run(act: PageCommentAct, told: string): Promise<boolean>;
}
