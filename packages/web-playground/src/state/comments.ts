import type { CommentMethods, PageComment, PageCommentAct } from "@idewire/devtools/internal";
import type { ReadonlySignal } from "@preact/signals";

type Result<M extends keyof CommentMethods> = CommentMethods[M]["result"];

/** Where comments are kept: the simulated workspace, or a folder behind the page. */
export interface CommentSource {
  /** Incremented when the comments have changed. */
  readonly version: ReadonlySignal<number>;
  /** The comments of a file, at their lines in the shown text. @throws Error for the person to read */
  file(filePath: string): Promise<Result<"comments/file">>;
  /** The matching comments of all files. @throws Error for the person to read */
  search(typed: string): Promise<Result<"comments/search">>;
  /** Adds, changes, moves or deletes comments. @throws Error for the person to read */
  run(act: PageCommentAct): Promise<Result<"comments/act">>;
}

/** The loaded comments of the page, for views outside of the feature. */
export interface LoadedComments {
  /** The comments of the open file at their current lines, orphans included. */
  readonly shown: ReadonlySignal<readonly PageComment[]>;
  /** Whether the list is on the screen. */
  readonly isOpen: ReadonlySignal<boolean>;
  /** Opens the list, or closes it. */
  toggle(): void;
  /** Goes to the next comment of the open file, or to the one before. */
  step(by: 1 | -1): void;
  /** Shows the comment of the cursor's line, or starts one. */
  commentHere(): void;
  /** Goes to the search. */
  find(): void;
  /** Runs an action and announces it. @returns whether it succeeded */
  run(act: PageCommentAct, announcement: string): Promise<boolean>;
}
