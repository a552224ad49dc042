import { type Resolution, resolveAnchors } from "../anchors/resolve/resolve.ts";
import { resolveAlone } from "../anchors/resolve/resolve-alone.ts";
import { originOf } from "../anchors/store/anchor.ts";
import type { Outline } from "../anchors/store/outline.ts";
import type { UnitTree } from "../anchors/units/unit.ts";
import type { CommentsDocument, GhostMarker } from "../format/document.ts";
import { anchorNameAt } from "./anchor-name.ts";
import type { LocatedComment } from "./located-comments.ts";

/** Finds the places of all comments of a document, sorted by line. */
export function locate(
  document: CommentsDocument,
  tree: UnitTree | undefined,
): readonly LocatedComment[] {
  const places = placesOf(document, tree);
  return toLocated(document, (marker) => {
    const place = places.get(marker) ?? gone(marker);
    const isThere = tree !== undefined && place.status !== "orphaned";
    return { place, anchor: isThere ? anchorNameAt(tree, place.line) : undefined };
  });
}

/** The comments with markers, each with its place, sorted by line. */
export function toLocated(
  { comments, ghostMarkers }: CommentsDocument,
  locateMarker: (marker: GhostMarker) => Pick<LocatedComment, "place" | "anchor">,
): readonly LocatedComment[] {
  const markers = new Map(ghostMarkers.map((marker) => [marker.commentId, marker]));
  return comments
    .flatMap((comment) => {
      const marker = markers.get(comment.id);
      if (marker === undefined) return [];
      const kept = { line: marker.line, quote: marker.tracking?.quote.exact ?? "" };
      return [{ comment, marker, kept, ...locateMarker(marker) }];
    })
    .sort((a, b) => a.place.line - b.place.line);
}

function placesOf(
  document: CommentsDocument,
  tree: UnitTree | undefined,
): ReadonlyMap<GhostMarker, Resolution> {
  const places = new Map<GhostMarker, Resolution>();
  if (tree === undefined) return places;
  const markers = document.ghostMarkers;
  // After a merge, some are anchored in the source of another branch.
  for (const outline of outlinesOf(document)) {
    const tracked = markers.flatMap((marker) => {
      const { tracking: anchor, line, endLine } = marker;
      const isIts = anchor !== undefined && outlineFor(document, marker) === outline;
      return isIts ? [{ marker, anchor, line, endLine }] : [];
    });
    const found = resolveAnchors(outline, tracked, tree);
    for (const [index, { marker }] of tracked.entries()) {
      places.set(marker, found[index] ?? gone(marker));
    }
  }
  const lines = new LinesByText(tree, markers);
  for (const marker of markers) {
    if (!places.has(marker)) places.set(marker, placeAlone(marker, tree, lines));
  }
  return places;
}

function outlinesOf({ outline, mergedOutlines = [] }: CommentsDocument): readonly Outline[] {
  return outline === undefined ? mergedOutlines : [outline, ...mergedOutlines];
}

/** The outline that a marker's anchor refers to; undefined if git merged the marker without its outline. */
export function outlineFor(document: CommentsDocument, marker: GhostMarker): Outline | undefined {
  const { origin, outline } = marker.tracking ?? {};
  const own = outline === undefined ? document.outline : document.mergedOutlines?.[outline];
  if (origin === undefined) return own;
  const isIts = ({ hash }: Outline) => origin === originOf(hash, marker);
  return own !== undefined && isIts(own) ? own : outlinesOf(document).find(isIts);
}

/** The place of a comment by its marker alone. */
function placeAlone(marker: GhostMarker, tree: UnitTree, lines: LinesByText): Resolution {
  const { tracking: anchor, line, endLine } = marker;
  return anchor === undefined
    ? placeByText(marker, lines)
    : resolveAlone({ anchor, line, endLine }, tree);
}

function gone({ line, endLine }: GhostMarker): Resolution {
  const end = endLine === undefined ? {} : { endLine };
  const lost = { status: "orphaned", confidence: 0, how: "the file is gone" } as const;
  return { line, ...end, ...lost, candidates: [] };
}

/** The place of a comment of another program: its line, if that still has the stored text. */
function placeByText(marker: GhostMarker, lines: LinesByText): Resolution {
  const { line, endLine } = marker;
  const text = marker.unknown["lineText"];
  const end = endLine === undefined ? {} : { endLine };
  const here = lines.textAt(line);
  if (marker.isOrphaned && text === undefined) {
    return { ...gone(marker), how: "the .comments file has no line for it" };
  }
  if (typeof text !== "string" || text === "" || here === text.trim()) {
    if (here === undefined)
      return { ...gone(marker), how: "its line is below the end of the file" };
    const isKnown = typeof text === "string" && text !== "";
    const how = isKnown ? "same line" : "the line in the .comments file";
    return { line, ...end, status: "exact", confidence: isKnown ? 1 : 0.5, how, candidates: [] };
  }
  const same = lines.with(text.trim());
  const candidates = same.map((found) => ({ line: found, score: 1, text: text.trim() }));
  const [only] = same;
  if (only === undefined || same.length > 1) {
    return { ...gone(marker), how: "no line or several lines have its text", candidates };
  }
  const moved = endLine === undefined ? {} : { endLine: only + endLine - line };
  const how = "the only line with its text";
  return { line: only, ...moved, status: "moved", confidence: 0.9, how, candidates: [] };
}

/** More lines of one text are not listed. */
const mostOfOneText = 3;

/** The lines of a source with the texts of markers, found together: many comments take no quadratic time. */
class LinesByText {
  readonly #lines: readonly string[];
  readonly #markers: readonly GhostMarker[];
  #numbers: ReadonlyMap<string, readonly number[]> | undefined;

  constructor({ lines }: UnitTree, markers: readonly GhostMarker[]) {
    this.#lines = lines;
    this.#markers = markers;
  }

  /** @param line 1-based */
  textAt(line: number): string | undefined {
    return this.#lines[line - 1]?.trim();
  }

  /** The first 1-based lines with the trimmed text of a marker. */
  with(text: string): readonly number[] {
    this.#numbers ??= this.#find();
    return this.#numbers.get(text) ?? [];
  }

  #find(): ReadonlyMap<string, readonly number[]> {
    const numbers = new Map<string, number[]>();
    for (const { unknown } of this.#markers) {
      const { lineText } = unknown;
      if (typeof lineText === "string") numbers.set(lineText.trim(), []);
    }
    for (const [index, line] of this.#lines.entries()) {
      const found = numbers.get(line.trim());
      if (found !== undefined && found.length < mostOfOneText) found.push(index + 1);
    }
    return numbers;
  }
}
