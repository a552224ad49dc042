import type { Unit } from "../units/unit.ts";
import { type AnyUnit, declaresName, type KnownUnit } from "./known-unit.ts";
import { uniqueBy } from "./match-equal.ts";
import type { Pairing } from "./pairing.ts";

/**
 * Pairs declarations whose qualified names are unique in each file, whatever they declare now and wherever
 * their block has moved.
 */
export function matchQualifiedNames(
  before: readonly KnownUnit[],
  after: readonly Unit[],
  pairing: Pairing,
): void {
  const fresh = uniqueBy(after, qualifiedNames(after));
  for (const [key, known] of uniqueBy(before, qualifiedNames(before))) {
    const unit = fresh.get(key);
    if (known === undefined || unit === undefined) continue;
    if (!pairing.isFree(known) || !pairing.isUnclaimed(unit)) continue;
    const isEqual = known.hash === unit.hash;
    pairing.add(known, { unit, reason: "name", similarity: isEqual ? 1 : 0.9 });
  }
}

/** The qualified name of each declaration; entries of objects and assignments have none. */
function qualifiedNames(units: readonly AnyUnit[]): (unit: AnyUnit) => string | undefined {
  const around = new Map<AnyUnit, string>();
  const own = new Map<AnyUnit, string>();
  for (const unit of units) {
    const outer = unit.parent === undefined ? "" : (around.get(unit.parent) ?? "");
    const isNamed = declaresName(unit) && !entryTypes.has(unit.type);
    const path = isNamed ? `${outer}\n${unit.name}` : outer;
    around.set(unit, path);
    if (isNamed) own.set(unit, path);
  }
  return (unit) => own.get(unit);
}

const entryTypes: ReadonlySet<string> = new Set([
  "pair",
  "jsx_attribute",
  "block_mapping_pair",
  "flow_pair",
  "keyed_element",
]);
