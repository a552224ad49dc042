import type { Lines } from "@idewire/codemirror";
import type { PageComment, PageCommentTag } from "@idewire/devtools/internal";

/** What a person writes: it is kept while its form is off the screen. */
export interface Written {
  readonly what: "comment" | "reply" | "edit";
  text: string;
  tag?: PageCommentTag;
}

/** Lines that a comment is to be about; 1-based, both included. */
export interface WantedLines extends Lines {
  readonly filePath: string;
  /** What the first of them said when its file was left. */
  readonly quote?: string;
}

export function headOf(id: string): string {
  return `[data-comment="${CSS.escape(id)}"] .comment-head`;
}

/** A comment's name in the page: files may share ids. */
export function keyOf({ filePath, id }: Pick<PageComment, "filePath" | "id">): string {
  return `${filePath} ${id}`;
}
