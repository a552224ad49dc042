import type { Lines } from "@idewire/codemirror";
import type { PageComment, PageCommentTag } from "@idewire/devtools/internal";

/** The content of a form, which outlives the form. */
export interface Written {
  readonly what: "comment" | "reply" | "edit";
  text: string;
  tag?: PageCommentTag;
}

/** The lines of a new comment; 1-based, both included. */
export interface WantedLines extends Lines {
  readonly filePath: string;
  /** The text of the first line when its file was closed. */
  readonly quote?: string;
}

export function headOf(id: string): string {
  return `[data-comment="${CSS.escape(id)}"] .comment-head`;
}

/** A key of a comment, unique in the page: files may share ids. */
export function keyOf({ filePath, id }: Pick<PageComment, "filePath" | "id">): string {
  return `${filePath} ${id}`;
}
