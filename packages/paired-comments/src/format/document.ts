import type { Anchor } from "../anchors/store/anchor.ts";
import type { Outline } from "../anchors/store/outline.ts";

/** The category of a comment. */
export type CommentTag = "TODO" | "FIXME" | "NOTE" | "STAR" | "QUESTION";

export const commentTags: readonly CommentTag[] = ["TODO", "FIXME", "NOTE", "STAR", "QUESTION"];

export function isCommentTag(value: unknown): value is CommentTag {
  return commentTags.some((tag) => tag === value);
}

/** Metadata of the program that wrote a comment. */
export interface AiMetadata {
  readonly model?: string;
  /** 0 to 1. */
  readonly confidence?: number;
  readonly reasoning?: string;
  /** ISO 8601. */
  readonly enrichedAt?: string;
}

export type CommentStatus = "open" | "resolved" | "wontfix";

export const commentStatuses: readonly CommentStatus[] = ["open", "resolved", "wontfix"];

export interface CommentReply {
  readonly id: string;
  readonly text: string;
  readonly author: string;
  /** ISO 8601. */
  readonly created: string;
}

/** Fields unknown to this version, written back unchanged. */
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
  /** Open if absent. */
  readonly status?: CommentStatus;
  readonly replies?: readonly CommentReply[];
  readonly unknown: UnknownFields;
}

/** The place of one comment in the source. */
export interface GhostMarker {
  /** `gm_` and digits. */
  readonly id: string;
  readonly commentId: string;
  /** 1-based; the place when the marker was last written. */
  readonly line: number;
  /** Last line of a multi-line comment. */
  readonly endLine?: number;
  /** Name of the innermost declaration around the line. */
  readonly anchor?: string;
  readonly anchorType?: string;
  /** The line it was created on. */
  readonly originalLine: number;
  readonly isOrphaned?: boolean;
  /** How its place is found in later sources; absent in files of other programs. */
  readonly tracking?: Anchor;
  readonly unknown: UnknownFields;
}

/** A `.comments` file of any dialect. */
export interface CommentsDocument {
  /** Path of the source, relative to the workspace. */
  readonly filePath: string;
  readonly comments: readonly PairedComment[];
  /** One for each comment. */
  readonly ghostMarkers: readonly GhostMarker[];
  /** Outline of the source in which the markers were anchored. */
  readonly outline?: Outline;
  /**
   * Outlines of the source on other branches, after a merge: some markers refer to them until all comments are
   * anchored in the merged source.
   */
  readonly mergedOutlines?: readonly Outline[];
  readonly unknown: UnknownFields;
}

/** Suffix of the file with a source's comments. */
export const commentsSuffix = ".comments";

/** The version that this package writes. */
export const formatVersion = "3.0.0";
