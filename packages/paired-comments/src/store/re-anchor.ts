import { evenOdds } from "../anchors/resolve/place-of-line.ts";
import { detached } from "../anchors/store/anchor.ts";
import { makeAnchor } from "../anchors/store/make-anchor.ts";
import { outlineOf } from "../anchors/store/outline.ts";
import type { UnitTree } from "../anchors/units/unit.ts";
import type { CommentsDocument, GhostMarker } from "../format/document.ts";
import { anchorNameAt } from "./anchor-name.ts";
import type { LocatedComment } from "./located-comments.ts";

/**
 * Anchors a document in the current source. Found comments get their new place, ambiguous ones among two equal
 * places the first; orphans and other guesses retain the anchor of their code.
 */
export function reAnchor(
  document: CommentsDocument,
  comments: readonly LocatedComment[],
  tree: UnitTree,
): CommentsDocument {
  const ghostMarkers = comments.map(({ marker, place }) => {
    const { line, endLine, status, confidence } = place;
    const isGuess = status === "ambiguous" && confidence < evenOdds;
    if (status !== "orphaned" && !isGuess) {
      return markerAt(marker, tree, { line, endLine });
    }
    const { tracking } = marker;
    const kept = tracking === undefined ? {} : { tracking: detached(tracking) };
    return { ...marker, ...kept, isOrphaned: true };
  });
  const { mergedOutlines: _, ...rest } = document;
  return { ...rest, ghostMarkers, outline: outlineOf(tree) };
}

/**
 * A marker at a place in the current source. Fields are in the order of reading, since git would treat reordered
 * lines as changes.
 */
export function markerAt(
  marker: GhostMarker,
  tree: UnitTree,
  { line, endLine }: { readonly line: number; readonly endLine?: number | undefined },
): GhostMarker {
  const { id, commentId, originalLine, unknown } = marker;
  const name = anchorNameAt(tree, line);
  const isRange = endLine !== undefined && endLine > line;
  return {
    id,
    commentId,
    line,
    originalLine,
    unknown,
    ...(isRange ? { endLine } : {}),
    ...(name === undefined ? {} : { anchor: name.name, anchorType: name.type }),
    isOrphaned: false,
    tracking: makeAnchor(tree, { line, endLine }),
  };
}
