import type { Resolution } from "../anchors/resolve/resolve.ts";
import type { CommentsDocument, GhostMarker, PairedComment } from "../format/document.ts";

/** A comment with its place in the source as it is now. */
export interface LocatedComment {
  readonly comment: PairedComment;
  readonly marker: GhostMarker;
  readonly place: Resolution;
  /** What the comment is on, for people: `function 'run'`; undefined for a place outside declarations. */
  readonly anchor: AnchorName | undefined;
}

/** The innermost declaration around a comment. */
export interface AnchorName {
  readonly name: string;
  /** The kind of declaration in one word, such as `method`. */
  readonly type: string;
}

/** The comments of a source, sorted by line. */
export interface LocatedFile {
  readonly filePath: string;
  readonly document: CommentsDocument;
  readonly comments: readonly LocatedComment[];
  /** The source as it is; undefined when it is gone. */
  readonly source: string | undefined;
  /** What has been mended in memory. */
  readonly remarks: readonly string[];
  /** Was the file written by another program, or in an older format? */
  readonly isForeign: boolean;
}

export function isOrphan({ place }: LocatedComment): boolean {
  return place.status === "orphaned";
}
