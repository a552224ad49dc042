import type { Resolution } from "../anchors/resolve/resolve.ts";
import type { CommentsDocument, GhostMarker, PairedComment } from "../format/document.ts";

/** A comment with its place in the current source, as in lists of all comments. */
export interface ListedComment {
  readonly comment: PairedComment;
  readonly place: Resolution;
  /** The enclosing declaration, such as `function 'run'`; undefined outside declarations. */
  readonly anchor: AnchorName | undefined;
  readonly kept: KeptLine;
}

/** The line of a comment when its file was last written. */
export interface KeptLine {
  /** 1-based. */
  readonly line: number;
  /** Text of the line, trimmed; empty if not stored. */
  readonly quote: string;
}

/** A comment with its place and its marker. */
export interface LocatedComment extends ListedComment {
  readonly marker: GhostMarker;
}

/** The innermost declaration that encloses a comment. */
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

/** The same with the source and the document. */
export interface LocatedFile extends ListedFile {
  readonly document: CommentsDocument;
  readonly comments: readonly LocatedComment[];
  /** The current source; undefined if it no longer exists. */
  readonly source: string | undefined;
  /** Repairs made in memory, for people. */
  readonly warnings: readonly string[];
  /** Was the file written by another program, or in an older format? */
  readonly isForeign: boolean;
}

/** Drops anchors and source, which take nine tenths of the memory of a file in a large list. */
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
