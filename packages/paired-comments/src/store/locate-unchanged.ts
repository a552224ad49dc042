import { type Resolution, unchanged } from "../anchors/resolve/resolve.ts";
import { isDetached, originOf } from "../anchors/store/anchor.ts";
import { hashOfSource } from "../anchors/units/unit-builder.ts";
import type { CommentsDocument, GhostMarker } from "../format/document.ts";
import { toLocated } from "./locate.ts";
import type { LocatedComment } from "./located-comments.ts";

/**
 * The comments of a source that is as it was when they were anchored, without parsing it: their places, and
 * the names of the declarations around them, are in the file. Undefined where that is not known of each.
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

/** Lists have thousands of comments that are on the same line of their files: one place for all of these. */
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
