import type { CommentError } from "../errors.ts";
import type {
  AiMetadata,
  CommentReply,
  CommentTag,
  GhostMarker,
  PairedComment,
} from "../format/document.ts";
import type { AnchorName } from "./located-comments.ts";

/** A comment to add. */
export interface NewComment {
  readonly filePath: string;
  /** 1-based. */
  readonly line: number;
  readonly endLine?: number | undefined;
  readonly text: string;
  readonly tag: CommentTag;
  readonly author: string;
  readonly aiMeta?: AiMetadata | undefined;
  /** Text of the line; corrects a wrong line number. */
  readonly quote?: string | undefined;
  /** The proposed text of a source that does not exist; ignored if it does. */
  readonly proposed?: string | undefined;
}

/** A reply to add to a comment. */
export type NewReply = Pick<CommentReply, "text" | "author">;

/** The changed fields of a comment. */
export type CommentChange = Partial<Pick<PairedComment, "text" | "status" | "tag" | "replies">>;

/** The declaration that a comment was put on. */
export interface ContainedAnchor extends AnchorName {
  /** The enclosing declaration, if any. */
  readonly container: string | undefined;
}

/** A comment at its new place. */
export interface PlacedComment {
  readonly filePath: string;
  readonly comment: PairedComment;
  readonly marker: GhostMarker;
  readonly anchor: ContainedAnchor | undefined;
}

/** A `.comments` file that cannot be read. */
export interface UnreadableFile {
  readonly filePath: string;
  readonly error: CommentError;
}
