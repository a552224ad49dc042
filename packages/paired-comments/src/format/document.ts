import type { Anchor } from "../anchors/store/anchor.ts";
import type { Outline } from "../anchors/store/outline.ts";

/** What a comment is about. */
export type CommentTag = "TODO" | "FIXME" | "NOTE" | "STAR" | "QUESTION";

export const commentTags: readonly CommentTag[] = ["TODO", "FIXME", "NOTE", "STAR", "QUESTION"];

export function isCommentTag(value: unknown): value is CommentTag {
  return commentTags.some((tag) => tag === value);
}

/** What the program that wrote a comment says of itself. */
export interface AiMetadata {
  readonly model?: string;
  /** 0 to 1. */
  readonly confidence?: number;
  readonly reasoning?: string;
  /** ISO 8601. */
  readonly enrichedAt?: string;
}

export type CommentStatus = "open" | "resolved" | "wontfix";

export interface CommentReply {
  readonly id: string;
  readonly text: string;
  readonly author: string;
  /** ISO 8601. */
  readonly created: string;
}

/** Fields that this version does not know; they are kept as they were read. */
export type UnknownFields = Readonly<Record<string, unknown>>;

export interface PairedComment {
  /** `c_` and digits. */
  readonly id: string;
  readonly text: string;
  readonly tag: CommentTag;
  readonly author: string;
  /** ISO 8601. */
  readonly created: string;
  /** ISO 8601. */
  readonly updated: string;
  readonly aiMeta?: AiMetadata;
  /** Open where it is absent. */
  readonly status?: CommentStatus;
  readonly replies?: readonly CommentReply[];
  readonly unknown: UnknownFields;
}

/** Where one comment is in the source. */
export interface GhostMarker {
  /** `gm_` and digits. */
  readonly id: string;
  readonly commentId: string;
  /** 1-based; where it was when the marker was last written. */
  readonly line: number;
  /** Of a comment on several lines; included. */
  readonly endLine?: number;
  /** Name of the innermost declaration around the line. */
  readonly anchor?: string;
  readonly anchorType?: string;
  /** Where it was first. */
  readonly originalLine: number;
  readonly isOrphaned?: boolean;
  /** How it is found again; absent in files of other programs. */
  readonly tracking?: Anchor;
  readonly unknown: UnknownFields;
}

/** A `.comments` file, whatever dialect it was written in. */
export interface CommentsDocument {
  /** Path of the source, relative to the workspace. */
  readonly filePath: string;
  readonly comments: readonly PairedComment[];
  /** One for each comment. */
  readonly ghostMarkers: readonly GhostMarker[];
  /** Of the source that the markers' tracking is about. */
  readonly outline?: Outline;
  /**
   * Of the same source on other branches, since a merge: what some trackings are about until all comments
   * are anchored in the merged source.
   */
  readonly mergedOutlines?: readonly Outline[];
  readonly unknown: UnknownFields;
}

/** The name of the file with a source's comments. */
export const commentsSuffix = ".comments";

/** The version that this package writes. */
export const formatVersion = "3.0.0";
