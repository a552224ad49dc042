import type { Unit } from "../units/unit.ts";
import { type AnyUnit, declaresName, type KnownUnit } from "./known-unit.ts";
import type { Pairing } from "./pairing.ts";
import type { Similarity } from "./similarity.ts";

/** In a gap with one unit on each side of the same type, which must be alike this much. */
const likeEnoughAlone = 0.2;
const likeEnough = 0.42;
/** Of another type, or declared under another name. */
const likeEnoughOfOtherKind = 0.55;
/** Larger gaps are compared near the diagonal alone. */
const widestGap = 60;

/** Pairs what has changed in its place: units without a partner between the same neighbours, in order. */
export function matchGaps(
  known: KnownUnit,
  unit: Unit,
  pairing: Pairing,
  similarity: Similarity,
): void {
  for (const { before, after } of gapsOf(known.children, unit.children, pairing)) {
    for (const [old, fresh, score] of alignGap(before, after, similarity)) {
      pairing.add(old, { unit: fresh, reason: "similar", similarity: score });
    }
  }
}

interface Gap {
  readonly before: readonly KnownUnit[];
  readonly after: readonly Unit[];
}

/** Runs of units without a partner, between neighbours that have kept their order. */
function gapsOf(
  before: readonly KnownUnit[],
  after: readonly Unit[],
  pairing: Pairing,
): readonly Gap[] {
  const places = new Map(after.map((unit, index) => [unit, index]));
  const gaps: Gap[] = [];
  let run: KnownUnit[] = [];
  let from = 0;
  const close = (to: number) => {
    const fresh = after.slice(from, to).filter((unit) => pairing.isUnclaimed(unit));
    if (run.length > 0 && fresh.length > 0) gaps.push({ before: run, after: fresh });
    run = [];
  };
  for (const known of before) {
    const partner = pairing.unitOf(known);
    if (partner === undefined) {
      run.push(known);
      continue;
    }
    const place = places.get(partner);
    if (place === undefined || place < from) continue;
    close(place);
    from = place + 1;
  }
  close(after.length);
  return gaps;
}

type Match = readonly [KnownUnit, Unit, number];

/** The pairs of highest similarity in all that cross no other pair. */
function alignGap(
  before: readonly KnownUnit[],
  after: readonly Unit[],
  similarity: Similarity,
): readonly Match[] {
  const width = after.length + 1;
  const best = new Float64Array((before.length + 1) * width);
  const scores = new Float64Array(before.length * after.length);
  const isAlone = countCode(before) === 1 && countCode(after) === 1;
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = after.length - 1; column >= 0; column--) {
      const score = isNear(row, column, before.length, after.length)
        ? acceptable(before[row], after[column], similarity, isAlone)
        : 0;
      scores[row * after.length + column] = score;
      best[row * width + column] = Math.max(
        best[(row + 1) * width + column] ?? 0,
        best[row * width + column + 1] ?? 0,
        score === 0 ? 0 : score + (best[(row + 1) * width + column + 1] ?? 0),
      );
    }
  }
  return tracePairs(before, after, scores, best);
}

function countCode(units: readonly AnyUnit[]): number {
  return units.filter(({ type }) => type !== "comment").length;
}

function tracePairs(
  before: readonly KnownUnit[],
  after: readonly Unit[],
  scores: Float64Array,
  best: Float64Array,
): readonly Match[] {
  const width = after.length + 1;
  const matches: Match[] = [];
  let row = 0;
  let column = 0;
  while (row < before.length && column < after.length) {
    const here = best[row * width + column] ?? 0;
    const score = scores[row * after.length + column] ?? 0;
    const known = before[row];
    const unit = after[column];
    const taken = score > 0 && here === score + (best[(row + 1) * width + column + 1] ?? 0);
    if (taken && known !== undefined && unit !== undefined) {
      matches.push([known, unit, score]);
      row++;
      column++;
    } else if (here === best[(row + 1) * width + column]) row++;
    else column++;
  }
  return matches;
}

function isNear(row: number, column: number, rows: number, columns: number): boolean {
  if (rows <= widestGap && columns <= widestGap) return true;
  return Math.abs(row - (column * rows) / columns) <= widestGap / 2;
}

/** The similarity of two units, 0 when it is too low for them to be the same. */
function acceptable(
  known: KnownUnit | undefined,
  unit: Unit | undefined,
  similarity: Similarity,
  isAlone: boolean,
): number {
  if (known === undefined || unit === undefined) return 0;
  if ((known.type === "comment") !== (unit.type === "comment")) return 0;
  const score = similarity.of(known, unit) * likenessByName(known, unit, isAlone);
  return score >= leastLikeness(known, unit, isAlone) ? score : 0;
}

function leastLikeness(known: KnownUnit, unit: Unit, isAlone: boolean): number {
  const isOtherName = known.name !== unit.name && declaresName(known) && declaresName(unit);
  if (known.type !== unit.type || isOtherName) return likeEnoughOfOtherKind;
  return isAlone || (known.name !== undefined && known.name === unit.name)
    ? likeEnoughAlone
    : likeEnough;
}

/**
 * A factor: two names make two units less alike, the more so the less else they say. What is alone in
 * its place may well be assigned to another name.
 */
export function likenessByName(known: KnownUnit, unit: Unit, isAlone: boolean): number {
  if (known.name === undefined || unit.name === undefined || known.name === unit.name) return 1;
  if (isAlone && !declaresName(known) && !declaresName(unit)) return 0.9;
  return Math.min(0.85, known.size / 10);
}
