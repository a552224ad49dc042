import type { Resolution } from "../anchors/resolve/resolve.ts";
import type { CommentsDocument, GhostMarker, PairedComment } from "../format/document.ts";

/** A comment with its place in the source as it is now: what lists of all comments have of each. */
export interface ListedComment {
  readonly comment: PairedComment;
  readonly place: Resolution;
  /** What the comment is on, for people: `function 'run'`; undefined for a place outside declarations. */
  readonly anchor: AnchorName | undefined;
  readonly kept: KeptLine;
}

/** Where a comment was when its file was last written. */
export interface KeptLine {
  /** 1-based. */
  readonly line: number;
  /** What the line said, trimmed; empty where that was not kept. */
  readonly quote: string;
}

/** A comment with all that is known of its place. */
export interface LocatedComment extends ListedComment {
  readonly marker: GhostMarker;
}

/** The innermost declaration around a comment. */
export interface AnchorName {
  readonly name: string;
  /** The kind of declaration in one word, such as `method`. */
  readonly type: string;
}

/** The comments of a source, sorted by line. */
export interface ListedFile {
  readonly filePath: string;
  readonly comments: readonly ListedComment[];
}

/** The same with all that is known of the source and of its file of comments. */
export interface LocatedFile extends ListedFile {
  readonly document: CommentsDocument;
  readonly comments: readonly LocatedComment[];
  /** The source as it is; undefined when it is gone. */
  readonly source: string | undefined;
  /** What has been mended in memory. */
  readonly remarks: readonly string[];
  /** Was the file written by another program, or in an older format? */
  readonly isForeign: boolean;
}

/** A file of thousands takes a tenth of the memory without what its comments are found again by. */
export function toListed({ filePath, comments }: LocatedFile): ListedFile {
  return {
    filePath,
    comments: comments.map(({ comment, place, anchor, kept }) => ({
      comment,
      place,
      anchor,
      kept,
    })),
  };
}

export function isOrphan({ place }: Pick<ListedComment, "place">): boolean {
  return place.status === "orphaned";
}
