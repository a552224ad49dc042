import type { Unit } from "../units/unit.ts";
import {
  type AnyUnit,
  declaresName,
  isDescription,
  isScope,
  type KnownUnit,
  scopeOf,
} from "./known-unit.ts";
import type { Pairing } from "./pairing.ts";
import type { Similarity } from "./similarity.ts";

const smallest = 6;
const likeEnough = 0.6;
/** A second choice within this margin makes the first ambiguous. */
const doubt = 0.03;
/** With more declarations than this on a side, only equal text is matched. */
const mostCompared = 400;

interface Choice {
  readonly known: KnownUnit;
  readonly unit: Unit;
  readonly score: number;
  readonly similarity: number;
}

/** Pairs removed declarations with added ones, one to one, the most similar first. */
export function matchDeclarations(
  before: readonly KnownUnit[],
  after: readonly Unit[],
  pairing: Pairing,
  similarity: Similarity,
): void {
  const gone = before.filter((unit) => isDeclaration(unit) && pairing.isFree(unit));
  const added = after.filter((unit) => isDeclaration(unit) && pairing.isUnclaimed(unit));
  if (gone.length > mostCompared || added.length > mostCompared) return;
  const choices = gone
    .flatMap((known) => added.map((unit) => choiceOf(known, unit, pairing, similarity)))
    .filter((choice) => choice !== undefined)
    .sort((a, b) => b.score - a.score);
  const rivals = new Map<KnownUnit | Unit, Choice[]>();
  for (const choice of choices) {
    for (const side of [choice.known, choice.unit]) {
      const known = rivals.get(side);
      if (known === undefined) rivals.set(side, [choice]);
      else known.push(choice);
    }
  }
  for (const choice of choices) {
    const { known, unit } = choice;
    if (!pairing.isFree(known) || !pairing.isUnclaimed(unit)) continue;
    const others = [...(rivals.get(known) ?? []), ...(rivals.get(unit) ?? [])];
    if (isInDoubt(choice, others, pairing)) continue;
    pairing.add(known, { unit, reason: "renamed", similarity: choice.similarity });
  }
}

function isDeclaration(unit: AnyUnit): boolean {
  return unit.size >= smallest && (declaresName(unit) || isScope(unit));
}

function choiceOf(
  known: KnownUnit,
  unit: Unit,
  pairing: Pairing,
  similarity: Similarity,
): Choice | undefined {
  // Local variables of different functions never match.
  const isLocal = known.children.length === 0 && known.parent?.parent !== undefined;
  if (isLocal && pairing.unitOf(scopeOf(known)) !== scopeOf(unit)) return undefined;
  const alike = similarity.of(known, unit);
  if (alike < likeEnough) return undefined;
  const isSameParent = known.parent !== undefined && pairing.unitOf(known.parent) === unit.parent;
  const beside = neighboursInCommon(known, unit, pairing);
  const names = likenessOfNames(known.name ?? "", unit.name ?? "");
  const score = 0.7 * alike + (isSameParent ? 0.1 : 0) + 0.1 * beside + 0.1 * names;
  return { known, unit, score, similarity: alike };
}

/** @param rivals choices of the same units */
function isInDoubt(choice: Choice, rivals: readonly Choice[], pairing: Pairing): boolean {
  return rivals.some(
    (other) =>
      other !== choice &&
      pairing.isFree(other.known) &&
      pairing.isUnclaimed(other.unit) &&
      choice.score - other.score < doubt,
  );
}

/** 0, 0.5 or 1: share of the two neighbours that are the same. */
export function neighboursInCommon(known: KnownUnit, unit: Unit, pairing: Pairing): number {
  const count = [-1, 1].filter((step) => {
    const old = siblingOf(known, step);
    const fresh = siblingOf(unit, step);
    if (old === undefined || fresh === undefined) return old === fresh;
    return pairing.unitOf(old as KnownUnit) === fresh;
  }).length;
  return count / 2;
}

/** The adjacent sibling, skipping comments and attributes. */
export function siblingOf(unit: AnyUnit, step: number): AnyUnit | undefined {
  const siblings = unit.parent?.children ?? [];
  let index = siblings.indexOf(unit) + step;
  while (isDescription(siblings[index])) index += step;
  return siblings[index];
}

/** Dice similarity of the words of two names: 0.8 for `readFile` and `readFileSync`. */
function likenessOfNames(a: string, b: string): number {
  const words = wordsOf(a);
  const others = new Set(wordsOf(b));
  const common = words.filter((word) => others.has(word)).length;
  return words.length + others.size === 0 ? 0 : (2 * common) / (words.length + others.size);
}

function wordsOf(name: string): readonly string[] {
  return (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []).map((word) => word.toLowerCase());
}
