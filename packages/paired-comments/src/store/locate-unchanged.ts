import { type Resolution, unchanged } from "../anchors/resolve/resolve.ts";
import { isDetached, originOf } from "../anchors/store/anchor.ts";
import { hashOfSource } from "../anchors/units/unit-builder.ts";
import type { CommentsDocument, GhostMarker } from "../format/document.ts";
import { toLocated } from "./locate.ts";
import type { LocatedComment } from "./located-comments.ts";

/**
 * Locates the comments of an unchanged source without parsing it: their places and the names of enclosing
 * declarations are in the file. Undefined if any comment was anchored in another source.
 */
export function locateUnchanged(
  document: CommentsDocument,
  source: string,
): readonly LocatedComment[] | undefined {
  const { outline, mergedOutlines = [], ghostMarkers } = document;
  if (outline === undefined || mergedOutlines.length > 0) return undefined;
  const { hash } = outline;
  if (!ghostMarkers.every((each) => isAnchored(each, hash))) return undefined;
  if (hash !== hashOfSource(source)) return undefined;
  return toLocated(document, (marker) => {
    const { anchor: name, anchorType: type } = marker;
    const anchor = name === undefined || type === undefined ? undefined : { name, type };
    return { place: placeOf(marker), anchor };
  });
}

const furthestShared = 10_000;
const places: Resolution[] = [];

/** Shares one place for all comments on equal lines, since lists have thousands. */
function placeOf(marker: GhostMarker): Resolution {
  const { line, endLine } = marker;
  if (endLine !== undefined || line > furthestShared) return unchanged(marker);
  places[line] ??= Object.freeze(unchanged(marker));
  return places[line];
}

/** Is it anchored in the source with this hash? */
function isAnchored(marker: GhostMarker, hash: string): boolean {
  const { tracking } = marker;
  if (tracking === undefined || tracking.outline !== undefined) return false;
  const { origin } = tracking;
  return !isDetached(tracking) && (origin === undefined || origin === originOf(hash, marker));
}
