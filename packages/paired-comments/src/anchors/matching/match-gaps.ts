import type { Unit } from "../units/unit.ts";
import { Band } from "./band.ts";
import { freeRuns, type Gap, gapsOf, isUnchanged } from "./gaps.ts";
import {
  type AnyUnit,
  declaresName,
  isImport,
  isScope,
  type KnownUnit,
  keyOf,
} from "./known-unit.ts";
import { wordsOf } from "./match-declarations.ts";
import { hasInside, uniqueBy } from "./match-equal.ts";
import type { Pairing } from "./pairing.ts";
import type { Similarity } from "./similarity.ts";

/** Threshold in a gap with one unit on each side, of the same kind. */
const likeEnoughAlone = 0.2;
/** What now is between unchanged neighbours is no more than a guess. */
const guess = 0.1;
const likeEnough = 0.42;
/** Threshold for units of different types or declared names. */
const likeEnoughOfOtherKind = 0.55;

/** Pairs units that changed in place: unpaired units between the same neighbours, in order. */
export function matchGaps(
  known: KnownUnit,
  unit: Unit,
  pairing: Pairing,
  similarity: Similarity,
): void {
  for (const gap of gapsOf(known, unit, pairing)) {
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
      const isFramed =
        isUnchanged(first, from) && isUnchanged(last, to) && last?.type !== "comment";
      closeGap({ before: units, after, isFramed }, pairing, similarity);
      continue;
    }
    matchBeside(units, from, 1, pairing);
    matchBeside([...units].reverse(), to, -1, pairing);
  }
}

function closeGap(
  { before, after, isFramed }: Gap,
  pairing: Pairing,
  similarity: Similarity,
): void {
  const isAlone = countCode(before) === 1 && countCode(after) === 1;
  const blocks = onlyBlocks(before, after);
  const frame = { isAlone, isFramed: isAlone && isFramed, blocks };
  for (const [old, unit, likeness] of alignGap(before, after, similarity, frame)) {
    pairing.add(old, { unit, reason: "similar", similarity: likeness });
  }
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

function typeOf({ type }: AnyUnit): string {
  return type;
}

/** How a gap constrains the units in it. */
interface Frame {
  /** Is there one unit on each side? */
  readonly isAlone: boolean;
  /** Are its neighbours also unchanged? */
  readonly isFramed: boolean;
  readonly blocks: ReadonlySet<string>;
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

/** The types of which each side has one unit with a body. */
function onlyBlocks(before: readonly AnyUnit[], after: readonly AnyUnit[]): ReadonlySet<string> {
  const [old, fresh] = [
    uniqueBy(before.filter(hasInside), typeOf),
    uniqueBy(after.filter(hasInside), typeOf),
  ];
  return new Set([...old].flatMap(([type, unit]) => (unit && fresh.get(type) ? [type] : [])));
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
  if (score >= leastLikeness(known, unit, frame)) return score;
  // What is in its place may be the same statement, rewritten.
  return frame.isFramed && isReplaceable(known, unit) ? guess : 0;
}

/** May one statement be written in place of the other? Neither a comment, an import nor a declaration with a body. */
function isReplaceable(known: KnownUnit, unit: Unit): boolean {
  if (known.type === "comment" || isOtherName(known, unit)) return false;
  return !(isImport(known) && isImport(unit)) && hasBody(known) === hasBody(unit);
}

/** Does it declare what is inside? An assignment does not. */
function hasBody(unit: AnyUnit): boolean {
  return isScope(unit) && kindOf(unit) !== kindOfAssignments;
}

function isOtherName(known: KnownUnit, unit: Unit): boolean {
  return known.name !== unit.name && declaresName(known) && declaresName(unit);
}

/** Has one the name of the other with more words, such as `command_sum` of `sum`? */
function isLongerName({ name: old = "" }: KnownUnit, { name: fresh = "" }: Unit): boolean {
  const [shorter = [], longer = []] = [old, fresh].map(wordsOf).sort((a, b) => a.length - b.length);
  return shorter.length > 0 && shorter.every((word) => longer.includes(word));
}

function leastLikeness(known: KnownUnit, unit: Unit, frame: Frame): number {
  const isOnly = hasInside(unit) && frame.blocks.has(known.type);
  if (kindOf(known) !== kindOf(unit)) return likeEnoughOfOtherKind;
  if (isOtherName(known, unit)) {
    return isOnly && isLongerName(known, unit) ? likeEnough : likeEnoughOfOtherKind;
  }
  return frame.isAlone || isOnly || (known.name !== undefined && known.name === unit.name)
    ? likeEnoughAlone
    : likeEnough;
}

/** Assignments count as expression statements. */
const kindOfAssignments = "expression_statement";

function kindOf({ type }: AnyUnit): string {
  return type.includes("assignment") ? kindOfAssignments : type;
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
