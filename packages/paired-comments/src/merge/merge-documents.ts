import type { Anchor } from "../anchors/store/anchor.ts";
import type { CommentsDocument, GhostMarker, PairedComment } from "../format/document.ts";
import { commentIds, type IdSequence, markerIds } from "../format/ids.ts";
import { isSameContent, mergeComments } from "./merge-comments.ts";
import { mergeUnknown } from "./merge-unknown.ts";
import { MergedOutlines } from "./merged-outlines.ts";

export interface MergeRequest {
  /** The common ancestor; without it, a comment that one side lacks counts as new. */
  readonly base?: CommentsDocument | undefined;
  /** Its places take precedence. */
  readonly ours: CommentsDocument;
  readonly theirs: CommentsDocument;
  /** For a text changed by both sides: keep both, the default, or the later one. */
  readonly clash?: "both" | "later";
  /** The time for new ids, in milliseconds since 1970. */
  readonly nowMs: number;
}

export interface MergedDocument {
  readonly document: CommentsDocument;
  /** Comments of theirs that got new ids. */
  readonly renumbered: readonly { readonly from: string; readonly to: string }[];
  /** Comments moved by both sides to different places; the place of ours is used. */
  readonly movedByBoth: readonly MovedByBoth[];
}

export interface MovedByBoth {
  readonly id: string;
  /** 1-based, in their source; the text is trimmed. */
  readonly theirs: { readonly line: number; readonly text: string };
}

interface Placed {
  readonly comment: PairedComment;
  readonly marker: GhostMarker;
}

/**
 * Merges two versions of a file's comments by id. Changes and deletions of one side apply unless the other side
 * has changed the comment, too. If one id stands for two different comments, both are kept, and theirs gets a
 * new id.
 */
export function mergeDocuments({
  base,
  ours,
  theirs,
  clash = "both",
  nowMs,
}: MergeRequest): MergedDocument {
  const [before, left, right] = [base, ours, theirs].map(placedOf);
  const merging = new Merging({ base, ours, theirs, nowMs });
  const ids = [...(left?.keys() ?? []), ...(right?.keys() ?? [])];
  for (const id of new Set(ids)) {
    const sides = { base: before?.get(id), ours: left?.get(id), theirs: right?.get(id), clash };
    merging.add(sides);
  }
  return merging.result();
}

interface Sides {
  readonly base: Placed | undefined;
  readonly ours: Placed | undefined;
  readonly theirs: Placed | undefined;
  readonly clash: "both" | "later";
}

class Merging {
  readonly #base: CommentsDocument | undefined;
  readonly #ours: CommentsDocument;
  readonly #theirs: CommentsDocument;
  readonly #nowMs: number;
  readonly #ids: IdSequence;
  readonly #markerIds: IdSequence;
  readonly #takenMarkers: Set<string>;
  readonly #outlines: MergedOutlines;
  readonly #kept: Placed[] = [];
  readonly #renumbered: { readonly from: string; readonly to: string }[] = [];
  readonly #movedByBoth: MovedByBoth[] = [];

  constructor({ base, ours, theirs, nowMs }: Omit<MergeRequest, "clash">) {
    this.#base = base;
    this.#ours = ours;
    this.#theirs = theirs;
    this.#nowMs = nowMs;
    const both = [ours, theirs];
    this.#ids = commentIds(both.flatMap(({ comments }) => comments.map(({ id }) => id)));
    this.#markerIds = markerIds(both.flatMap((each) => each.ghostMarkers.map(({ id }) => id)));
    this.#takenMarkers = new Set(ours.ghostMarkers.map(({ id }) => id));
    this.#outlines = new MergedOutlines(ours, theirs);
  }

  add({ base, ours, theirs, clash }: Sides): void {
    if (ours === undefined || theirs === undefined) {
      const only = ours ?? theirs;
      const isDeleted =
        base !== undefined && only !== undefined && isSameContent(base.comment, only.comment);
      if (only === undefined || isDeleted) return;
      this.#kept.push(only === ours ? only : this.#foreign(only, only.comment.id));
      return;
    }
    const comment = mergeComments(base?.comment, ours.comment, theirs.comment, clash);
    if (comment !== undefined) {
      this.#kept.push({ comment, marker: this.#mergedMarker(base, ours, theirs) });
      return;
    }
    const to = this.#ids.next(this.#nowMs);
    this.#renumbered.push({ from: theirs.comment.id, to });
    this.#kept.push(ours, this.#foreign(theirs, to));
  }

  result(): MergedDocument {
    const { filePath, unknown } = this.#ours;
    const ghostMarkers = this.#kept.map(({ marker }) => marker);
    const document = {
      filePath,
      comments: this.#kept.map(({ comment }) => comment),
      ghostMarkers,
      ...this.#outlines.fieldsFor(ghostMarkers),
      unknown: mergeUnknown(this.#base?.unknown, unknown, this.#theirs.unknown),
    };
    return { document, renumbered: this.#renumbered, movedByBoth: this.#movedByBoth };
  }

  #mergedMarker(base: Placed | undefined, ours: Placed, theirs: Placed): GhostMarker {
    const isMoved = base !== undefined && isMovedByOne(base.marker, ours.marker, theirs.marker);
    if (base !== undefined && isMovedByBoth(base, ours, theirs)) {
      const { line, tracking } = theirs.marker;
      const text = tracking?.quote.exact ?? "";
      this.#movedByBoth.push({ id: ours.comment.id, theirs: { line, text } });
    }
    return {
      ...(isMoved ? this.#outlines.adopt(theirs.marker) : ours.marker),
      id: ours.marker.id,
      unknown: mergeUnknown(base?.marker.unknown, ours.marker.unknown, theirs.marker.unknown),
    };
  }

  /** A comment of theirs, with a marker id that is not in use. */
  #foreign({ comment, marker }: Placed, id: string): Placed {
    const isTaken = this.#takenMarkers.has(marker.id);
    const markerId = isTaken ? this.#markerIds.next(this.#nowMs) : marker.id;
    return {
      comment: { ...comment, id },
      marker: { ...this.#outlines.adopt(marker), id: markerId, commentId: id },
    };
  }
}

function placedOf(document: CommentsDocument | undefined): ReadonlyMap<string, Placed> {
  const markers = new Map(document?.ghostMarkers.map((each) => [each.commentId, each]));
  return new Map(
    document?.comments.flatMap((comment) => {
      const marker = markers.get(comment.id);
      return marker === undefined ? [] : [[comment.id, { comment, marker }]];
    }),
  );
}

/** Was it moved by theirs only? */
function isMovedByOne(base: GhostMarker, ours: GhostMarker, theirs: GhostMarker): boolean {
  return isSamePlace(base, ours) && !isSamePlace(ours, theirs);
}

/** Was it moved by both, to different places? Moving a comment updates it; changing its code does not. */
function isMovedByBoth(base: Placed, ours: Placed, theirs: Placed): boolean {
  const isMoved = ({ comment, marker }: Placed) =>
    comment.updated !== base.comment.updated && !isSamePlace(base.marker, marker);
  return isMoved(ours) && isMoved(theirs) && !isSamePlace(ours.marker, theirs.marker);
}

/** Is it on the same code? Line numbers alone are not enough, since code above may have changed. */
function isSamePlace(a: GhostMarker, b: GhostMarker): boolean {
  if (a.tracking === undefined || b.tracking === undefined) return a.line === b.line;
  const key = ({ type, hash, scope, quote }: Anchor) =>
    JSON.stringify([type, hash, scope, quote.exact]);
  return key(a.tracking) === key(b.tracking);
}
