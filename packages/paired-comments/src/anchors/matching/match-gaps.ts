import type { Unit } from "../units/unit.ts";
import { Band } from "./band.ts";
import { type AnyUnit, declaresName, isImport, type KnownUnit, keyOf } from "./known-unit.ts";
import type { Pairing } from "./pairing.ts";
import type { Similarity } from "./similarity.ts";

/** Threshold in a gap with one unit on each side, of the same kind. */
const likeEnoughAlone = 0.2;
/** Threshold between unchanged neighbours; such a match is reported as a guess. */
const likeEnoughInFrame = 0.04;
const likeEnough = 0.42;
/** Threshold for units of different types or declared names. */
const likeEnoughOfOtherKind = 0.55;
/** Threshold for a unit that was wrapped, and its required lead over the wrapper. */
const likeEnoughWrapped = 0.6;
const wrappedMargin = 0.2;
const mostWrappers = 4;

/** Pairs units that changed in place: unpaired units between the same neighbours, in order. */
export function matchGaps(
  known: KnownUnit,
  unit: Unit,
  pairing: Pairing,
  similarity: Similarity,
): void {
  for (const gap of gapsOf(known.children, unit.children, pairing)) {
    closeGap(gap, pairing, similarity);
  }
}

/** The same between two neighbours that are still siblings, wherever they have moved. */
export function matchBetween(known: KnownUnit, pairing: Pairing, similarity: Similarity): void {
  for (const { first, last, units } of freeRuns(known.children, pairing)) {
    const [from, to] = [first, last].map((each) => each && pairing.unitOf(each));
    const siblings = from?.parent?.children ?? [];
    if (from !== undefined && to !== undefined && from.parent === to.parent) {
      const between = siblings.slice(siblings.indexOf(from) + 1, siblings.indexOf(to));
      const after = between.filter((unit) => pairing.isUnclaimed(unit));
      const isFramed = isUnchanged(first, from) && isUnchanged(last, to);
      closeGap({ before: units, after, isFramed }, pairing, similarity);
      continue;
    }
    matchBeside(units, from, 1, pairing);
    matchBeside([...units].reverse(), to, -1, pairing);
  }
}

interface Gap {
  readonly before: readonly KnownUnit[];
  readonly after: readonly Unit[];
  /** Are the units before and after it unchanged? */
  readonly isFramed: boolean;
}

function closeGap(
  { before, after, isFramed }: Gap,
  pairing: Pairing,
  similarity: Similarity,
): void {
  const isAlone = countCode(before) === 1 && countCode(after) === 1;
  const frame = { isAlone, isFramed: isAlone && isFramed };
  for (const [old, fresh, score] of alignGap(before, after, similarity, frame)) {
    const inner = wrappedIn(fresh, old, pairing, similarity);
    const isWrapped = inner !== undefined && inner.score > score + wrappedMargin;
    const [unit, likeness] = isWrapped ? [inner.unit, inner.score] : [fresh, score];
    pairing.add(old, { unit, reason: "similar", similarity: likeness });
  }
}

/** The most similar unit inside another: the old unit may have been wrapped. */
function wrappedIn(
  outer: Unit,
  known: KnownUnit,
  pairing: Pairing,
  similarity: Similarity,
): { readonly unit: Unit; readonly score: number } | undefined {
  let best: { readonly unit: Unit; readonly score: number } | undefined;
  let level: readonly Unit[] = outer.children;
  for (let depth = 0; depth < mostWrappers; depth++) {
    for (const unit of level) {
      if (unit.type !== known.type || !pairing.isUnclaimed(unit)) continue;
      const score = similarity.of(known, unit) * likenessByName(known, unit, false);
      if (score >= likeEnoughWrapped && score > (best?.score ?? 0)) best = { unit, score };
    }
    level = level.flatMap(({ children }) => children);
  }
  return best;
}

/** Pairs the neighbours of a moved unit for as long as their text is equal. */
function matchBeside(
  units: readonly KnownUnit[],
  partner: Unit | undefined,
  step: 1 | -1,
  pairing: Pairing,
): void {
  const siblings = partner?.parent?.children ?? [];
  let index = partner === undefined ? -1 : siblings.indexOf(partner);
  for (const known of units) {
    index += step;
    const unit = siblings[index];
    if (unit === undefined || !pairing.isUnclaimed(unit) || !pairing.isFree(known)) return;
    if (keyOf(known) !== keyOf(unit) || known.type !== unit.type) return;
    pairing.add(known, { unit, reason: "moved", similarity: 1 });
  }
}

function isUnchanged(known: KnownUnit | undefined, unit: Unit | undefined): boolean {
  return known !== undefined && known.hash === unit?.hash;
}

interface FreeRun {
  readonly units: readonly KnownUnit[];
  /** The units with partners before and after it. */
  readonly first: KnownUnit | undefined;
  readonly last: KnownUnit | undefined;
}

/** Runs of adjacent unpaired units. */
function freeRuns(children: readonly KnownUnit[], pairing: Pairing): readonly FreeRun[] {
  const runs: FreeRun[] = [];
  let units: KnownUnit[] = [];
  let first: KnownUnit | undefined;
  for (const last of [...children, undefined]) {
    if (last !== undefined && pairing.isFree(last)) {
      units.push(last);
      continue;
    }
    if (units.length > 0) runs.push({ units, first, last });
    units = [];
    first = last;
  }
  return runs;
}

/** Runs of unpaired units between neighbours that kept their order. */
function gapsOf(
  before: readonly KnownUnit[],
  after: readonly Unit[],
  pairing: Pairing,
): readonly Gap[] {
  const places = new Map(after.map((unit, index) => [unit, index]));
  const gaps: Gap[] = [];
  let run: KnownUnit[] = [];
  let from = 0;
  let first: KnownUnit | undefined;
  const close = (to: number, last?: KnownUnit) => {
    const fresh = after.slice(from, to).filter((unit) => pairing.isUnclaimed(unit));
    const isFramed = isUnchanged(first, after[from - 1]) && isUnchanged(last, after[to]);
    if (run.length > 0 && fresh.length > 0) gaps.push({ before: run, after: fresh, isFramed });
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
    close(place, known);
    from = place + 1;
    first = known;
  }
  close(after.length);
  return gaps;
}

/** How a gap constrains the units in it. */
interface Frame {
  /** Is there one unit on each side? */
  readonly isAlone: boolean;
  /** Are its neighbours also unchanged? */
  readonly isFramed: boolean;
}

type Match = readonly [KnownUnit, Unit, number];

/** The non-crossing pairs with the highest total similarity. */
function alignGap(
  before: readonly KnownUnit[],
  after: readonly Unit[],
  similarity: Similarity,
  frame: Frame,
): readonly Match[] {
  const scores = new Band(before.length, after.length);
  const best = new Band(before.length, after.length);
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = best.last(row); column >= best.first(row); column--) {
      const score = acceptable(before[row], after[column], similarity, frame);
      scores.set(row, column, score);
      best.set(
        row,
        column,
        Math.max(
          best.at(row + 1, column),
          best.at(row, column + 1),
          score === 0 ? 0 : score + best.at(row + 1, column + 1),
        ),
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
  scores: Band,
  best: Band,
): readonly Match[] {
  const matches: Match[] = [];
  let row = 0;
  let column = 0;
  while (row < before.length && column < after.length) {
    const here = best.at(row, column);
    const score = scores.has(row, column) ? scores.at(row, column) : 0;
    const known = before[row];
    const unit = after[column];
    const taken = score > 0 && here === score + best.at(row + 1, column + 1);
    if (taken && known !== undefined && unit !== undefined) {
      matches.push([known, unit, score]);
      row++;
      column++;
    } else if (here === best.at(row + 1, column)) row++;
    else column++;
  }
  return matches;
}

/** The similarity of two units; 0 if below the threshold. */
function acceptable(
  known: KnownUnit | undefined,
  unit: Unit | undefined,
  similarity: Similarity,
  frame: Frame,
): number {
  if (known === undefined || unit === undefined) return 0;
  if ((known.type === "comment") !== (unit.type === "comment")) return 0;
  const score = similarity.of(known, unit) * likenessByName(known, unit, frame.isAlone);
  return score >= leastLikeness(known, unit, frame) ? score : 0;
}

function leastLikeness(known: KnownUnit, unit: Unit, { isAlone, isFramed }: Frame): number {
  const isOtherName = known.name !== unit.name && declaresName(known) && declaresName(unit);
  if (kindOf(known) !== kindOf(unit) || isOtherName) return likeEnoughOfOtherKind;
  if (isFramed) return likeEnoughInFrame;
  return isAlone || (known.name !== undefined && known.name === unit.name)
    ? likeEnoughAlone
    : likeEnough;
}

/** Assignments count as expression statements. */
function kindOf({ type }: AnyUnit): string {
  return type.includes("assignment") ? "expression_statement" : type;
}

/**
 * A factor: different names lower the similarity, more so for units with little other text. Less so for a unit
 * alone in its gap, which may just be assigned to another name.
 */
function likenessByName(known: KnownUnit, unit: Unit, isAlone: boolean): number {
  if (known.name === undefined || unit.name === undefined || known.name === unit.name) return 1;
  // The similarity of imports is that of the names.
  if (isImport(known) && isImport(unit)) return 1;
  if (isAlone && !declaresName(known) && !declaresName(unit)) return 0.9;
  return Math.min(0.85, known.size / 10);
}
