import { type ChangeComment, quoteOf } from "@idewire/core/internal";
import { lineHunks } from "@idewire/core/internal/hunks";
import type { CommentStore } from "../store/comment-store.ts";

/** A proposed or written text that comments are about, and who has written them. */
export interface CommentedText {
  /** Relative to the workspace. */
  readonly path: string;
  readonly text: string;
  /** The text of the file now; undefined if it does not exist yet. */
  readonly current: string | undefined;
  readonly author: string;
}

/**
 * Stores comments on a proposed or written text beside its file, each with the code that it is about: the lines may
 * be others by now, or those of a proposal that is never written.
 * @throws Error when the comments cannot be stored
 */
export async function commentOnChange(
  store: CommentStore,
  { path, text, current, author }: CommentedText,
  comments: readonly ChangeComment[],
): Promise<void> {
  for (const comment of comments) {
    const quoted = quoteOf(text, comment).map((line) => `> ${line}`);
    const line = current === undefined ? comment.line : lineIn(current, text, comment.line);
    await store.add({
      ...{ filePath: path, line, tag: "TODO", author },
      ...(current === undefined && { proposed: text }),
      text: [...quoted, comment.text.trim()].join("\n"),
    });
  }
}

/** The line of the current text where a line of the other one is, or would be. */
function lineIn(current: string, text: string, line: number): number {
  let shift = 0;
  for (const { fromA, toA, fromB, toB } of lineHunks(current, text)) {
    if (toB < line) shift = toA - toB;
    else if (fromB < line) return Math.max(1, Math.min(fromA + 1, countLines(current)));
  }
  return Math.max(1, Math.min(line + shift, countLines(current)));
}

function countLines(text: string): number {
  return text.replace(/(?:\r\n?|\n)$/, "").split(/\r\n?|\n/).length;
}
