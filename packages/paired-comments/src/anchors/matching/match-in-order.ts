import { diffArrays } from "diff";
import type { Unit } from "../units/unit.ts";
import { type KnownUnit, keyOf } from "./known-unit.ts";
import { siblingOf } from "./match-declarations.ts";
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
  const common = besideTheirNeighbours(commonInOrder(known, fresh), fresh, pairing);
  for (const [left, right] of common) {
    if (pairing.isFree(left)) pairing.add(left, { unit: right, reason: "text", similarity: 1 });
  }
}

/** Among equal units between the same two partners, chooses the one that kept its neighbours. */
function besideTheirNeighbours(
  common: readonly (readonly [KnownUnit, Unit])[],
  fresh: readonly Keyed<Unit>[],
  pairing: Pairing,
): ReadonlyMap<KnownUnit, Unit> {
  const chosen = new Map(common);
  const taken = new Set(chosen.values());
  const spare = fresh.filter(({ unit }) => !taken.has(unit));
  if (spare.length === 0) return chosen;
  const spareByKey = groupByKey(spare);
  let from = -1;
  for (const [index, [left, right]] of common.entries()) {
    const to = common[index + 1]?.[1].index ?? Number.POSITIVE_INFINITY;
    const others = pairing.isFree(left) ? (spareByKey.get(keyOf(right)) ?? []) : [];
    let [best, most] = [right, others.length === 0 ? 2 : neighbours(left, right, chosen)];
    for (const unit of others) {
      const count = unit.index > from && unit.index < to ? neighbours(left, unit, chosen) : 0;
      if (count > most) [best, most] = [unit, count];
    }
    chosen.set(left, best);
    from = best.index;
  }
  return chosen;
}

function groupByKey<T>(items: readonly Keyed<T>[]): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const { unit, key } of items) {
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [unit]);
    else group.push(unit);
  }
  return groups;
}

/** 0 to 2: how many of its neighbours are still adjacent. */
function neighbours(left: KnownUnit, right: Unit, chosen: ReadonlyMap<KnownUnit, Unit>): number {
  return [-1, 1].filter((step) => {
    const old = siblingOf(left, step);
    return (old && chosen.get(old as KnownUnit)) === siblingOf(right, step);
  }).length;
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
