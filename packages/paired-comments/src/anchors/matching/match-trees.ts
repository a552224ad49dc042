import type { Unit, UnitTree } from "../units/unit.ts";
import { lastIdentifier, withNames } from "../units/unit-builder.ts";
import {
  declaresName,
  isDescription,
  isImport,
  type KnownToken,
  type KnownUnit,
} from "./known-unit.ts";
import { matchAround } from "./match-around.ts";
import { matchDeclarations } from "./match-declarations.ts";
import { hasStrayDescriptions, matchDescriptions } from "./match-descriptions.ts";
import { matchEqualChildren, matchMoved, matchNames, matchNamesAnywhere } from "./match-equal.ts";
import { guess, matchBetween, matchGaps } from "./match-gaps.ts";
import { matchQualifiedNames } from "./match-qualified-names.ts";
import { matchSimilar } from "./match-similar.ts";
import { matchUnchanged } from "./match-unchanged.ts";
import { Pairing } from "./pairing.ts";
import { Similarity } from "./similarity.ts";

/** The pairs of units, and the similarity of any two. */
export interface MatchedTrees {
  readonly pairing: Pairing;
  readonly similarity: Similarity;
  /** The units of the current source; renamed identifiers may have their old names in it. */
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
  const first = matchOnce(before, tree, certain);
  const renamed = renamedIdentifiers(before, tree, first.pairing);
  // With the old name restored, units that mention a renamed declaration have equal text.
  return renamed.size === 0 ? first : matchOnce(before, withNames(tree, renamed), certain);
}

function matchOnce(
  before: readonly KnownUnit[],
  tree: UnitTree,
  certain: KnownPairs,
): MatchedTrees {
  const pairing = new Pairing();
  const similarity = new Similarity(tree);
  const after = tree.units;
  const [knownRoot] = before;
  const [root] = after;
  if (knownRoot !== undefined && root !== undefined) {
    pairing.add(knownRoot, { unit: root, reason: "name", similarity: 1 });
    matchUnchanged(knownRoot, root, pairing);
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
    () => matchSimilar(before, after, pairing, similarity),
    () => matchNames(before, after, pairing),
    () => matchAround(before, pairing, similarity),
  ];
  settle(before, pairing);
  // Paired units are skipped by every step.
  for (let step = 0; step < steps.length && pairing.size < before.length; ) {
    const size = pairing.size;
    steps[step]?.();
    if (pairing.size === size) {
      step++;
      continue;
    }
    settle(before, pairing);
    step = 0;
  }
}

/** Pairs equal children inside all pairs, parents before children. */
export function settle(before: readonly KnownUnit[], pairing: Pairing): void {
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

/** Old names by new ones, for renamed declarations whose old name no longer occurs. */
function renamedIdentifiers(
  before: readonly KnownUnit[],
  tree: UnitTree,
  pairing: Pairing,
): ReadonlyMap<string, string> {
  const changed = before.filter((known) => {
    const pair = pairing.pairOf(known);
    // Replacing one import with another is not a rename.
    if (pair === undefined || (isImport(known) && pair.similarity <= guess)) return false;
    return known.name !== pair.unit.name && declaresName(known);
  });
  if (changed.length === 0) return new Map();
  const old = new Set(
    before.flatMap(({ name, tokens }) => [lastIdentifier(name), ...words(tokens)]),
  );
  const fresh = new Set(tree.tokens.map(({ text }) => text));
  const names = new Map<string, string>();
  for (const known of changed) {
    const from = lastIdentifier(known.name);
    const to = lastIdentifier(pairing.unitOf(known)?.name);
    if (from === undefined || to === undefined || from === to) continue;
    if (!old.has(to) && !fresh.has(from) && !names.has(to)) names.set(to, from);
  }
  return names;
}

function words(tokens: readonly KnownToken[] | undefined): readonly string[] {
  return (tokens ?? []).map(({ text }) => text);
}
