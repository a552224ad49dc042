import type { Unit, UnitTree } from "../units/unit.ts";
import { isDescription, type KnownUnit } from "./known-unit.ts";
import { matchDeclarations } from "./match-declarations.ts";
import { hasStrayDescriptions, matchDescriptions } from "./match-descriptions.ts";
import { matchEqualChildren, matchMoved, matchNamesAnywhere } from "./match-equal.ts";
import { matchBetween, matchGaps } from "./match-gaps.ts";
import { matchQualifiedNames } from "./match-qualified-names.ts";
import { Pairing } from "./pairing.ts";
import { Similarity } from "./similarity.ts";

/** The pairs of units, and the similarity of any two. */
export interface MatchedTrees {
  readonly pairing: Pairing;
  readonly similarity: Similarity;
  /** The units of the current source. */
  readonly units: readonly Unit[];
}

/** Pairs known in advance: old units, and indexes in the current source. */
export type KnownPairs = ReadonlyMap<KnownUnit, number>;

const noPairs: KnownPairs = new Map();

/**
 * Pairs the units of an old source with those of the current one, one to one. Certain matches (names, equal
 * text in order) come first, since later steps choose among the remaining units.
 */
export function matchTrees(
  before: readonly KnownUnit[],
  tree: UnitTree,
  certain: KnownPairs = noPairs,
): MatchedTrees {
  const pairing = new Pairing();
  const similarity = new Similarity();
  const after = tree.units;
  const [knownRoot] = before;
  const [root] = after;
  if (knownRoot !== undefined && root !== undefined) {
    pairing.add(knownRoot, { unit: root, reason: "name", similarity: 1 });
  }
  for (const [known, index] of certain) {
    const unit = after[index];
    if (unit !== undefined) pairing.add(known, { unit, reason: "moved", similarity: 1 });
  }
  matchAll(before, after, pairing, similarity);
  if (!hasStrayDescriptions(before, after, pairing)) return { pairing, similarity, units: after };
  // Now that code is paired, comments can be paired with those of the same code.
  const again = pairing.without(isDescription);
  eachParent(before, (known) => matchDescriptions(known, again));
  matchAll(before, after, again, similarity);
  return { pairing: again, similarity, units: after };
}

function matchAll(
  before: readonly KnownUnit[],
  after: readonly Unit[],
  pairing: Pairing,
  similarity: Similarity,
): void {
  const steps = [
    () => matchMoved(before, after, pairing),
    () => matchNamesAnywhere(before, after, pairing),
    () => matchQualifiedNames(before, after, pairing),
    () => matchDeclarations(before, after, pairing, similarity),
    () => eachParent(before, (known) => matchBetween(known, pairing, similarity)),
    () => eachPair(before, pairing, (known, unit) => matchGaps(known, unit, pairing, similarity)),
  ];
  settle(before, pairing);
  // Paired units are skipped by every step.
  for (const step of steps) {
    if (pairing.size === before.length) return;
    const { size } = pairing;
    step();
    if (pairing.size > size) settle(before, pairing);
  }
}

/** Pairs equal children inside all pairs, parents before children. */
function settle(before: readonly KnownUnit[], pairing: Pairing): void {
  eachPair(before, pairing, (known, unit) => matchEqualChildren(known, unit, pairing));
}

function eachPair(
  before: readonly KnownUnit[],
  pairing: Pairing,
  act: (known: KnownUnit, unit: Unit) => void,
): void {
  for (const known of before) {
    const unit = pairing.unitOf(known);
    if (unit !== undefined && known.children.length > 0) act(known, unit);
  }
}

function eachParent(before: readonly KnownUnit[], act: (known: KnownUnit) => void): void {
  for (const known of before) if (known.children.length > 0) act(known);
}
