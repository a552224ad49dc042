import { type Anchor, isDetached } from "../anchors/store/anchor.ts";
import type { Outline } from "../anchors/store/outline.ts";
import type { CommentsDocument, GhostMarker } from "../format/document.ts";

/**
 * The outlines of two merged documents. Each anchor continues to refer to the outline it was made with, until
 * the merged source is read.
 */
export class MergedOutlines {
  readonly #own: Outline | undefined;
  readonly #merged: readonly Outline[];
  /** The position of their own outline; undefined if it equals ours. */
  readonly #theirs: number | undefined;
  /** The position of the first of their merged outlines. */
  readonly #theirMerged: number;

  constructor(ours: CommentsDocument, theirs: CommentsDocument) {
    const [own, other] = [ours.outline, theirs.outline];
    const isShared = own === undefined || other === undefined || isSame(own, other);
    const before = ours.mergedOutlines ?? [];
    this.#own = own ?? other;
    this.#merged = [...before, ...(isShared ? [] : [other]), ...(theirs.mergedOutlines ?? [])];
    this.#theirs = isShared ? undefined : before.length;
    this.#theirMerged = before.length + (isShared ? 0 : 1);
  }

  /** Converts a marker of theirs for the merged document. */
  adopt(marker: GhostMarker): GhostMarker {
    const { tracking } = marker;
    return tracking === undefined ? marker : { ...marker, tracking: this.#adopted(tracking) };
  }

  /** The outline fields of the merged document, given its markers. */
  fieldsFor(markers: readonly GhostMarker[]): Pick<CommentsDocument, "outline" | "mergedOutlines"> {
    const isUsed = markers.some(({ tracking }) => tracking?.outline !== undefined);
    return {
      ...(this.#own === undefined ? {} : { outline: this.#own }),
      ...(isUsed ? { mergedOutlines: this.#merged } : {}),
    };
  }

  #adopted(anchor: Anchor): Anchor {
    if (isDetached(anchor)) return anchor;
    const outline =
      anchor.outline === undefined ? this.#theirs : this.#theirMerged + anchor.outline;
    return outline === undefined ? anchor : { ...anchor, outline };
  }
}

function isSame(a: Outline, b: Outline): boolean {
  return a.hash === b.hash && a.language === b.language;
}
