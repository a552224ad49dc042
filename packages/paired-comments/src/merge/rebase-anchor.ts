import { isScope, type KnownUnit } from "../anchors/matching/known-unit.ts";
import { type Anchor, detached, type Point } from "../anchors/store/anchor.ts";
import { type Outline, unitsOf } from "../anchors/store/outline.ts";

/**
 * Makes anchors in one outline into anchors in another, by equal units in equally named declarations. An
 * anchor whose unit is not there is detached: it finds its code when that comes.
 */
export function rebaseAnchors(
  from: Outline | undefined,
  to: Outline | undefined,
): (anchor: Anchor) => Anchor {
  if (from === undefined || to === undefined) return detached;
  if (from.hash === to.hash && from.language === to.language) return (anchor) => anchor;
  const known = unitsOf(from, new Map());
  const oldKeys = keysOf(known);
  const newKeys = keysOf(unitsOf(to, new Map()));
  const indexes = new Map([...newKeys].map(([unit, key]) => [key, unit.index]));
  const rebase = (point: Point): Point | undefined => {
    const unit = known[point.unit];
    const key = unit === undefined ? undefined : oldKeys.get(unit);
    const index = key === undefined ? undefined : indexes.get(key);
    return index === undefined ? undefined : { ...point, unit: index };
  };
  return (anchor) => {
    const start = rebase(anchor.start);
    if (start === undefined) return detached(anchor);
    const { end, ...rest } = anchor;
    const newEnd = end === undefined ? undefined : rebase(end);
    return { ...rest, start, ...(newEnd === undefined ? {} : { end: newEnd }) };
  };
}

/** A declaration by its names, another unit by its text too; of equal ones in a declaration, the n-th. */
function keysOf(units: readonly KnownUnit[]): ReadonlyMap<KnownUnit, string> {
  const paths = new Map<KnownUnit, string>();
  const counts = new Map<string, number>();
  const keys = new Map<KnownUnit, string>();
  for (const unit of units) {
    const around = unit.parent === undefined ? "" : (paths.get(unit.parent) ?? "");
    const isDeclaration = isScope(unit) && unit.name !== undefined;
    const own = isDeclaration ? `${unit.type} ${unit.name}` : `${unit.type} ${unit.hash}`;
    paths.set(unit, isDeclaration ? `${around}/${unit.name}` : around);
    const place = `${around}/${own}`;
    const nth = counts.get(place) ?? 0;
    counts.set(place, nth + 1);
    keys.set(unit, `${place}#${nth}`);
  }
  return keys;
}
