import { isDistinctive } from "../units/token.ts";
import type { Unit } from "../units/unit.ts";
import { Band } from "./band.ts";
import { freeRuns, type Gap, gapsOf } from "./gaps.ts";
import {
  type AnyUnit,
  declaresName,
  isImport,
  type KnownToken,
  type KnownUnit,
  keyOf,
} from "./known-unit.ts";
import type { Pairing } from "./pairing.ts";
import type { Similarity } from "./similarity.ts";

/** Threshold in a gap with one unit on each side, of the same kind. */
const likeEnoughAlone = 0.2;
const likeEnough = 0.42;
/** Threshold for units of different types or declared names. */
const likeEnoughOfOtherKind = 0.55;

/** Share of a statement. */
const nearlyAll = 0.8;

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
      closeGap({ before: units, after }, pairing, similarity);
      continue;
    }
    matchBeside(units, from, 1, pairing);
    matchBeside([...units].reverse(), to, -1, pairing);
  }
}

function closeGap({ before, after }: Gap, pairing: Pairing, similarity: Similarity): void {
  const isAlone = countCode(before) === 1 && countCode(after) === 1;
  for (const [old, unit, likeness] of alignGap(before, after, similarity, isAlone)) {
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

type Match = readonly [KnownUnit, Unit, number];

/**
 * The non-crossing pairs with the highest total similarity.
 * @param isAlone is there one unit on each side?
 */
function alignGap(
  before: readonly KnownUnit[],
  after: readonly Unit[],
  similarity: Similarity,
  isAlone: boolean,
): readonly Match[] {
  const scores = new Band(before.length, after.length);
  const best = new Band(before.length, after.length);
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = best.last(row); column >= best.first(row); column--) {
      const score = acceptable(before[row], after[column], similarity, isAlone);
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
  isAlone: boolean,
): number {
  if (known === undefined || unit === undefined) return 0;
  if ((known.type === "comment") !== (unit.type === "comment")) return 0;
  const score = similarity.of(known, unit) * likenessByName(known, unit, isAlone);
  return score >= leastLikeness(known, unit, isAlone) ? score : 0;
}

function isOtherName(known: KnownUnit, unit: Unit): boolean {
  return !isSameName(known, unit) && declaresName(known) && declaresName(unit);
}

/** Have they the same name, or does one declare that of the other as well, as in `local a b`? */
function isSameName(known: KnownUnit, unit: Unit): boolean {
  if (known.name === unit.name) return true;
  return declares(known.tokens, unit.name) || declares(unit.tokens, known.name);
}

/** Is a name among the words that a unit begins with? */
function declares(tokens: readonly KnownToken[] = [], name: string | undefined): boolean {
  const end = tokens.findIndex(({ text }) => text !== "," && !isDistinctive(text));
  return tokens.slice(0, end < 0 ? undefined : end).some(({ text }) => text === name);
}

function leastLikeness(known: KnownUnit, unit: Unit, isAlone: boolean): number {
  if (kindOf(known) !== kindOf(unit)) return likeEnoughOfOtherKind;
  if (isOtherName(known, unit)) {
    return isWrapped(known) && isWrapped(unit) ? likeEnough : likeEnoughOfOtherKind;
  }
  return isAlone || (known.name !== undefined && known.name === unit.name)
    ? likeEnoughAlone
    : likeEnough;
}

/** Is it nearly all of a statement around it? Then these statements would not be partners if the units were not. */
function isWrapped({ size, parent }: AnyUnit): boolean {
  if (parent?.parent === undefined || parent.name !== undefined) return false;
  return size >= nearlyAll * parent.size;
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
  if (known.name === undefined || unit.name === undefined || isSameName(known, unit)) return 1;
  // The similarity of imports is that of the names.
  if (isImport(known) && isImport(unit)) return 1;
  if (isAlone && !declaresName(known) && !declaresName(unit)) return 0.9;
  return Math.min(0.85, known.size / 10);
}
