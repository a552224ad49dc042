import type { Unit } from "../units/unit.ts";
import { type AnyUnit, isDescription, type KnownUnit } from "./known-unit.ts";
import { matchInOrder } from "./match-in-order.ts";
import type { Pairing } from "./pairing.ts";

/**
 * Pairs comments and attributes with those of the same text at the partner of their code: the same text often
 * occurs at other code, too.
 */
export function matchDescriptions(known: KnownUnit, pairing: Pairing): void {
  let run: KnownUnit[] = [];
  for (const child of known.children) {
    if (isDescription(child)) {
      if (pairing.isFree(child)) run.push(child);
      continue;
    }
    if (run.length > 0) {
      const partner = pairing.unitOf(child);
      const there = partner === undefined ? [] : descriptionsOf(partner);
      const free = there.filter((unit) => pairing.isUnclaimed(unit));
      if (free.length > 0) matchInOrder(run, free, pairing);
      run = [];
    }
  }
}

/** Is a paired comment or attribute now in front of different code? */
export function hasStrayDescriptions(
  before: readonly KnownUnit[],
  after: readonly Unit[],
  pairing: Pairing,
): boolean {
  const described = describedUnits(after);
  return [...describedUnits(before)].some(([known, code]) => {
    const unit = pairing.unitOf(known);
    const fresh = unit && described.get(unit);
    if (fresh === undefined) return false;
    return pairing.unitOf(code) !== fresh && !(pairing.isFree(code) && pairing.isUnclaimed(fresh));
  });
}

/** The units that comments and attributes describe. */
function describedUnits<T extends AnyUnit & { readonly children: readonly T[] }>(
  units: readonly T[],
): ReadonlyMap<T, T> {
  const described = new Map<T, T>();
  for (const { children } of units) {
    let next: T | undefined;
    for (let index = children.length - 1; index >= 0; index--) {
      const child = children[index];
      if (!isDescription(child)) next = child;
      else if (child !== undefined && next !== undefined) described.set(child, next);
    }
  }
  return described;
}

/** The comments and attributes in front of a unit. */
export function descriptionsOf(unit: Unit): readonly Unit[] {
  const siblings = unit.parent?.children ?? [];
  const end = siblings.indexOf(unit);
  let start = end;
  while (start > 0) {
    const each = siblings[start - 1];
    if (each === undefined || !isDescription(each) || isTrailing(each, siblings[start - 2])) break;
    start--;
  }
  return siblings.slice(start, end);
}

/** Is it a comment on the last line of the unit before it? */
function isTrailing({ type, first }: Unit, before: Unit | undefined): boolean {
  return type === "comment" && first !== undefined && first.line === before?.last?.endLine;
}
