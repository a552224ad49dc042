import type { Unit } from "../units/unit.ts";
import { type KnownUnit, topLevelOf } from "./known-unit.ts";
import type { Pairing } from "./pairing.ts";
import type { Similarity } from "./similarity.ts";

/** Share of the content, by size. */
const insideEnough = 0.5;
const smallestInside = 5;

/**
 * Pairs statements and elements with the units that now enclose most of their content, the innermost first.
 * Declarations are matched by name instead.
 */
export function matchAround(
  before: readonly KnownUnit[],
  pairing: Pairing,
  similarity: Similarity,
): void {
  for (let index = before.length - 1; index > 0; index--) {
    const known = before[index];
    if (known === undefined || known.name !== undefined || !pairing.isFree(known)) continue;
    const unit = frameOf(known, pairing);
    if (unit === undefined || pairing.unitOf(topLevelOf(known)) !== topLevelOf(unit)) continue;
    pairing.add(known, { unit, reason: "similar", similarity: similarity.of(known, unit) });
  }
}

/** The unpaired unit of the same type that directly contains most of a unit's content. */
function frameOf(known: KnownUnit, pairing: Pairing): Unit | undefined {
  const sizes = new Map<Unit, number>();
  let total = 0;
  for (const child of known.children) {
    if (child.type === "comment") continue;
    total += child.size;
    const around = pairing.unitOf(child)?.parent;
    if (around?.type !== known.type || around.name !== undefined) continue;
    if (pairing.isUnclaimed(around)) sizes.set(around, (sizes.get(around) ?? 0) + child.size);
  }
  const [found] = [...sizes].sort(([, a], [, b]) => b - a);
  if (found === undefined) return undefined;
  const [unit, size] = found;
  return size >= smallestInside && size >= insideEnough * total ? unit : undefined;
}
