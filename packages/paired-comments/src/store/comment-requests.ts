import type { CommentError } from "../errors.ts";
import type { AiMetadata, CommentTag, GhostMarker, PairedComment } from "../format/document.ts";
import type { AnchorName } from "./located-comments.ts";

/** A comment to be. */
export interface NewComment {
  readonly filePath: string;
  /** 1-based. */
  readonly line: number;
  readonly endLine?: number | undefined;
  readonly text: string;
  readonly tag: CommentTag;
  readonly author: string;
  readonly aiMeta?: AiMetadata | undefined;
  /** What the line says: corrects a wrong line number. */
  readonly quote?: string | undefined;
}

/** What changes of a comment. */
export type CommentChange = Partial<Pick<PairedComment, "text" | "status" | "tag" | "replies">>;

/** What a comment was put on. */
export interface ContainedAnchor extends AnchorName {
  /** The declaration around it, if there is one. */
  readonly container: string | undefined;
}

/** A comment where it was put. */
export interface PlacedComment {
  readonly filePath: string;
  readonly comment: PairedComment;
  readonly marker: GhostMarker;
  readonly anchor: ContainedAnchor | undefined;
}

/** A file of comments that cannot be read. */
export interface UnreadableFile {
  readonly filePath: string;
  readonly error: CommentError;
}
