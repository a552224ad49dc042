import { diffArrays } from "diff/lib/diff/array.js";
import type { Unit } from "../units/unit.ts";
import { type KnownUnit, keyOf } from "./known-unit.ts";
import type { Pairing } from "./pairing.ts";

/** Sequences with more differences are not compared any further. */
const mostDifferences = 4_000;

/** Pairs units of equal text in the same order. */
export function matchInOrder(
  before: readonly KnownUnit[],
  after: readonly Unit[],
  pairing: Pairing,
): void {
  const partners = (unit: Unit) => `@${unit.index}`;
  const known = before.map((each) => {
    const partner = pairing.unitOf(each);
    return { unit: each, key: partner === undefined ? keyOf(each) : partners(partner) };
  });
  const fresh = after.map((unit) => ({
    unit,
    key: pairing.isUnclaimed(unit) ? keyOf(unit) : partners(unit),
  }));
  for (const [left, right] of commonInOrder(known, fresh)) {
    if (pairing.isFree(left)) pairing.add(left, { unit: right, reason: "text", similarity: 1 });
  }
}

interface Keyed<T> {
  readonly unit: T;
  readonly key: string;
}

/**
 * The longest common subsequence of two lists, by keys. Items missing from either list are dropped first, which
 * takes a fraction of the time for heavily changed sources.
 */
function commonInOrder<A, B>(
  before: readonly Keyed<A>[],
  after: readonly Keyed<B>[],
): readonly (readonly [A, B])[] {
  const old = new Set(before.map(({ key }) => key));
  const fresh = new Set(after.map(({ key }) => key));
  const lefts = before.filter(({ key }) => fresh.has(key));
  const rights = after.filter(({ key }) => old.has(key));
  const [leftKeys, rightKeys] = [lefts, rights].map((side) => side.map(({ key }) => key));
  const options = { maxEditLength: mostDifferences };
  const changes = diffArrays(leftKeys ?? [], rightKeys ?? [], options) ?? [];
  const common: (readonly [A, B])[] = [];
  let [left, right] = [0, 0];
  for (const { added, removed, count } of changes) {
    for (let index = 0; index < count && !added && !removed; index++) {
      const [one, other] = [lefts[left + index], rights[right + index]];
      if (one !== undefined && other !== undefined) common.push([one.unit, other.unit]);
    }
    if (!added) left += count;
    if (!removed) right += count;
  }
  return common;
}
