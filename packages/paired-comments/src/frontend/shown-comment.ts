import type { Candidate } from "../anchors/resolve/candidates.ts";
import type { AnchorStatus } from "../anchors/resolve/resolve.ts";
import type { CommentReply, CommentStatus, CommentTag } from "../format/document.ts";
import type { ListedComment } from "../store/located-comments.ts";

/** A comment for display, as plain JSON. */
export interface ShownComment {
  readonly id: string;
  /** Path of its source, relative to the workspace. */
  readonly filePath: string;
  /** 1-based; for an orphan, its last known line. */
  readonly line: number;
  /** Last line of a multi-line comment. */
  readonly endLine?: number;
  readonly status: AnchorStatus;
  /** How its place was found, for people. */
  readonly how: string;
  /** For orphans and ambiguous places: the likeliest places, at most three. */
  readonly candidates: readonly Candidate[];
  readonly tag: CommentTag;
  readonly text: string;
  readonly author: string;
  /** ISO 8601. */
  readonly created: string;
  readonly state: CommentStatus;
  readonly replies: readonly CommentReply[];
  /** The enclosing declaration, such as `function 'run'`. */
  readonly anchor?: string;
  /** Text of its line when the file was last written, trimmed. */
  readonly quote?: string;
}

export function toShown(
  { comment, kept: { quote }, place, anchor }: ListedComment,
  filePath: string,
): ShownComment {
  const { id, tag, text, author, created, status: state = "open", replies = [] } = comment;
  const { line, endLine, status, how, candidates } = place;
  return {
    ...{ id, filePath, line, status, how, candidates, tag, text, author, created, state },
    ...(endLine === undefined ? {} : { endLine }),
    ...(anchor === undefined ? {} : { anchor: `${anchor.type} '${anchor.name}'` }),
    ...(quote === "" ? {} : { quote }),
    replies: replies.map((reply) => ({
      ...{ id: reply.id, text: reply.text, author: reply.author, created: reply.created },
    })),
  };
}
