import { isScope, type KnownUnit } from "../matching/known-unit.ts";
import { matchTrees } from "../matching/match-trees.ts";
import type { Pair } from "../matching/pairing.ts";
import { UnitIndex } from "../matching/unit-index.ts";
import { type Anchor, isDetached, type Point } from "../store/anchor.ts";
import { quotedText } from "../store/make-anchor.ts";
import { type Outline, unitsOf } from "../store/outline.ts";
import { isOfLines } from "../units/long-text.ts";
import type { UnitTree } from "../units/unit.ts";
import { type Candidate, type Comparison, candidatesFor, mostCandidates } from "./candidates.ts";
import { endOfRange } from "./end-of-range.ts";
import { LinesAnywhere } from "./place-by-line.ts";
import { evenOdds, type Place, sure } from "./place-of-line.ts";
import { placeOfPoint } from "./place-of-point.ts";
import { resolveByQuote } from "./resolve-by-quote.ts";
import { Twins } from "./twins.ts";

/** How a comment's place was found. */
export type AnchorStatus = "exact" | "moved" | "edited" | "ambiguous" | "orphaned";

export interface Resolution {
  /** 1-based; for an orphan, its last known line. */
  readonly line: number;
  /** Last line of a multi-line comment. */
  readonly endLine?: number;
  readonly status: AnchorStatus;
  /** 0 to 1. */
  readonly confidence: number;
  /** How the place was found, for people. */
  readonly how: string;
  /** For orphans and ambiguous places: the likeliest places, at most three. */
  readonly candidates: readonly Candidate[];
}

/** A comment as it was anchored. */
export interface AnchoredLines {
  readonly anchor: Anchor;
  /** 1-based. */
  readonly line: number;
  readonly endLine?: number | undefined;
}

const none: readonly Candidate[] = [];

/** Finds the places of comments in the current source, in the order given. */
export function resolveAnchors(
  outline: Outline,
  comments: readonly AnchoredLines[],
  tree: UnitTree,
): readonly Resolution[] {
  const isUnchanged = outline.hash === tree.hash;
  if (isUnchanged && comments.every(({ anchor }) => !isDetached(anchor))) {
    return comments.map(unchanged);
  }
  if (isOfLines(outline) || isOfLines(tree)) {
    const lost = isUnchanged ? comments.filter(({ anchor }) => isDetached(anchor)) : comments;
    const found = new Map(resolveByQuote(lost, tree.lines).map((place, at) => [lost[at], place]));
    return comments.map((comment) => found.get(comment) ?? unchanged(comment));
  }
  const known = unitsOf(outline, tokensOf(comments));
  const comparison = { known, trees: matchTrees(known, tree), tree };
  const twins = new Twins(comparison.trees);
  const lines = new LinesAnywhere(comparison);
  return comments.map((comment) => {
    if (isDetached(comment.anchor)) return resolveDetached(comment, comparison);
    if (isUnchanged) return unchanged(comment);
    const place = resolveOne(comment, comparison);
    const found = byLine(comment, lines, comparison, place);
    return found ?? withTwin(place, comment, comparison, twins);
  });
}

/** Finds the code of an orphan again among units that are new in the source. */
function resolveDetached(comment: AnchoredLines, comparison: Comparison): Resolution {
  const { trees, tree } = comparison;
  const { anchor } = comment;
  const returned = UnitIndex.of(tree)
    .withHash(anchor.hash)
    .filter((unit) => unit.type === anchor.type && trees.pairing.knownOf(unit)?.hash !== unit.hash);
  const [unit] = returned;
  if (unit === undefined || returned.length > 1) return orphaned(comment, comparison);
  const place = placeOfPoint(anchor.start, { unit, reason: "moved", similarity: 1 });
  if (place === undefined) return orphaned(comment, comparison);
  const line = clamp(place.line + 1, 1, tree.lines.length);
  const { endLine } = comment;
  const end = endLine === undefined ? {} : { endLine: line + endLine - comment.line };
  return { line, ...end, status: "moved", confidence: 1, how: "its code is back", candidates: [] };
}

/** The place of a comment in an unchanged source. */
export function unchanged({ line, endLine }: Pick<AnchoredLines, "line" | "endLine">): Resolution {
  const end = endLine === undefined ? {} : { endLine };
  return { line, ...end, status: "exact", confidence: 1, how: "unchanged file", candidates: none };
}

function tokensOf(comments: readonly AnchoredLines[]): ReadonlyMap<number, readonly string[]> {
  const attached = comments.filter(({ anchor }) => !isDetached(anchor));
  const points = attached.flatMap(({ anchor: { start, end } }) => [start, end ?? start]);
  return new Map(points.map(({ unit, tokens }) => [unit, tokens]));
}

function resolveOne(comment: AnchoredLines, comparison: Comparison): Resolution {
  const { start } = comment.anchor;
  const pair = pairOf(start, comparison);
  const place = pair === undefined ? undefined : placeOfPoint(start, pair);
  if (pair === undefined || place === undefined) return orphaned(comment, comparison);
  const lastLine = comparison.tree.lines.length;
  const line = clamp(place.line + 1, 1, lastLine);
  if (place.isGone && !isPartLeft(comment, place, comparison)) {
    return orphaned(comment, comparison, [besideIt(line, pair, comparison)]);
  }
  const end = endOf(comment, line, comparison);
  const known = comparison.known[start.unit];
  const { name } = pair.unit;
  const isRenamed = known?.name !== name;
  const status = statusOf(
    comment,
    pair,
    line,
    isRenamed ? place.confidence * 0.99 : place.confidence,
  );
  return {
    line,
    ...(end === undefined ? {} : { endLine: clamp(end, line, lastLine) }),
    status,
    confidence: Math.round(place.confidence * 100) / 100,
    how: isRenamed && name !== undefined ? `declaration renamed to ${name}` : howFound(pair, known),
    candidates: status === "ambiguous" ? candidatesFor(comment.anchor, comparison) : [],
  };
}

/** A place by the line alone, if that by its unit is none, or has another line than the only equal one. */
function byLine(
  comment: AnchoredLines,
  lines: LinesAnywhere,
  comparison: Comparison,
  { status, candidates, ...found }: Resolution,
): Resolution | undefined {
  const all = comparison.tree.lines;
  const isLost = status === "orphaned";
  if (!isLost && (isSame(found.line, comment, all) || isByName(comment, comparison))) {
    return undefined;
  }
  const place = lines.equalTo(comment) ?? (isLost ? lines.likeliest(comment) : undefined);
  if (place === undefined) return undefined;
  const isSure = place.confidence >= sure;
  const line = place.line + 1;
  const length = (comment.endLine ?? comment.line) - comment.line;
  return {
    line,
    ...(comment.endLine === undefined ? {} : { endLine: Math.min(line + length, all.length) }),
    status: !isSure ? "ambiguous" : line === comment.line ? "exact" : "moved",
    confidence: place.confidence,
    how: isSure ? "same line beside the same line" : "an only line that is new",
    candidates: isSure ? [] : candidates,
  };
}

function isSame(line: number, { anchor }: AnchoredLines, lines: readonly string[]): boolean {
  return quotedText(lines[line - 1] ?? "") === anchor.quote.exact;
}

/** Is it on a declaration that was found by its name? */
function isByName({ anchor: { start, type } }: AnchoredLines, comparison: Comparison): boolean {
  const pair = pairOf(start, comparison);
  return pair?.reason === "name" && pair.unit.type === type && pair.unit.name !== undefined;
}

/** Marks a place with an adjacent copy of its code as ambiguous; the copy is the candidate. */
function withTwin(
  place: Resolution,
  { anchor }: AnchoredLines,
  { known, tree }: Comparison,
  twins: Twins,
): Resolution {
  const start = known[anchor.start.unit];
  const unit = start && place.status !== "orphaned" ? twins.of(start) : undefined;
  const other = unit && placeOfPoint(anchor.start, { unit, reason: "text", similarity: 1 })?.line;
  if (other === undefined) return place;
  const score = Math.min(place.confidence, evenOdds);
  return {
    ...place,
    status: "ambiguous",
    confidence: score,
    how: "the same code occurs twice",
    candidates: [{ line: other + 1, score, text: (tree.lines[other] ?? "").trim() }],
  };
}

function pairOf(point: Point, { known, trees }: Comparison): Pair | undefined {
  const unit = known[point.unit];
  return unit === undefined ? undefined : trees.pairing.pairOf(unit);
}

/** Does a multi-line comment whose first line is gone still have lines at or below a place? */
function isPartLeft(
  { anchor: { start, end } }: AnchoredLines,
  { line }: Place,
  comparison: Comparison,
): boolean {
  if (end === undefined) return false;
  const pair = pairOf(end, comparison);
  const last = pair && placeOfPoint(end, pair);
  // The replacement of a missing last line is not part of the comment.
  if (last?.isGone) return last.line > line;
  return (endOfRange(start.unit, end, comparison) ?? -1) >= line;
}

/** The adjacent line; the first of a signature, and of what has only brackets there. */
function besideIt(line: number, { unit, similarity }: Pair, { tree }: Comparison): Candidate {
  const score = Math.round(similarity * 100) / 100;
  const at = isScope(unit) ? (unit.first?.line ?? line - 1) + 1 : line;
  return { line: at, score, text: (tree.lines[at - 1] ?? "").trim() };
}

/** The last line; without an anchor for it, the length is unchanged. */
function endOf(
  { anchor, line, endLine }: AnchoredLines,
  now: number,
  comparison: Comparison,
): number | undefined {
  if (endLine === undefined || anchor.end === undefined) return undefined;
  const end = endOfRange(anchor.start.unit, anchor.end, comparison);
  return end === undefined || end + 1 < now ? now + endLine - line : end + 1;
}

function statusOf(
  { line, anchor }: AnchoredLines,
  { unit }: Pair,
  now: number,
  confidence: number,
): AnchorStatus {
  if (confidence < sure) return "ambiguous";
  const isChanged = anchor.start.at !== "inside" && unit.hash !== anchor.hash;
  if (isChanged || confidence < 1) return "edited";
  return now === line ? "exact" : "moved";
}

function howFound({ reason }: Pair, known: KnownUnit | undefined): string {
  if (reason === "name") {
    return known !== undefined && isScope(known) ? "same declaration" : "same name";
  }
  if (reason === "moved") return "same text, moved";
  return reason === "text" ? "same text in the same declaration" : "changed text in the same place";
}

/** @param likely candidates that come before those with similar code */
function orphaned(
  comment: AnchoredLines,
  comparison: Comparison,
  likely: readonly Candidate[] = [],
): Resolution {
  const { line, endLine, anchor } = comment;
  const others = candidatesFor(anchor, comparison).filter((each) => each.line !== likely[0]?.line);
  return {
    line,
    ...(endLine === undefined ? {} : { endLine }),
    status: "orphaned",
    confidence: 0,
    how: "its code is gone",
    candidates: [...likely, ...others].slice(0, mostCandidates),
  };
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}
