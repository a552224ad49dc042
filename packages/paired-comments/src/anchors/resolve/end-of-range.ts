import { type AnyUnit, declaresName, type KnownUnit } from "../matching/known-unit.ts";
import type { Pairing } from "../matching/pairing.ts";
import type { Point } from "../store/anchor.ts";
import { lastOfCode } from "../store/make-anchor.ts";
import type { Unit } from "../units/unit.ts";
import type { Comparison } from "./candidates.ts";
import { placeOfPoint } from "./place-of-point.ts";

/**
 * The last line, 0-based, of a multi-line comment: its own if found, else that of the code that replaced it,
 * else that of the last remaining unit of the range.
 * @param first index of the unit in which the comment begins
 */
export function endOfRange(
  first: number,
  end: Point,
  { known, trees: { pairing } }: Comparison,
): number | undefined {
  const last = known[end.unit];
  if (last === undefined) return undefined;
  const pair = pairing.pairOf(last);
  const place = pair && placeOfPoint(end, pair, true);
  if (place !== undefined) return place.line;
  let index = last.index;
  while (isInside(known[index + 1], last)) index++;
  for (; index >= first; index--) {
    const unit = known[index];
    const top = unit && outermostFrom(first, unit, last);
    const partner = top && pairing.unitOf(top);
    if (top === undefined || partner === undefined || partner.type === "comment") continue;
    // The enclosing unit continues below the end of the range.
    const isAround = isInside(last, top);
    const before = isAround ? top.children : siblingsAfter(top);
    const after = isAround ? partner.children : siblingsAfter(partner);
    const instead = inPlaceOf({ before, after }, last.index, pairing);
    const own = isAround ? partner.first : (lastOfCode(partner) ?? partner.last);
    if (instead === undefined) return own?.endLine;
    return (end.at === "end" ? lastOfCode(instead) : instead.first)?.endLine;
  }
  return undefined;
}

interface Siblings {
  readonly before: readonly KnownUnit[];
  readonly after: readonly Unit[];
}

/** The last of the leading new units that replace removed ones of the same kinds, up to an end. */
function inPlaceOf({ before, after }: Siblings, end: number, pairing: Pairing): Unit | undefined {
  const old = withoutComments(before);
  const fresh = withoutComments(after);
  const gone = old.filter(({ index }) => index <= end);
  const kinds = new Set(gone.map(kindOf));
  const kept = fresh.findIndex((unit) => !pairing.isUnclaimed(unit) || !kinds.has(kindOf(unit)));
  const added = kept < 0 ? fresh : fresh.slice(0, kept);
  const next = old[gone.length];
  // Removed units after the end account for some of the new ones.
  const isShared = next !== undefined && pairing.isFree(next);
  return (isShared ? added.slice(0, gone.length) : added).at(-1);
}

/** Any statement may replace any other. */
function kindOf(unit: AnyUnit): string {
  return declaresName(unit) ? unit.type : "";
}

function withoutComments<T extends AnyUnit>(units: readonly T[]): readonly T[] {
  return units.filter(({ type }) => type !== "comment");
}

function siblingsAfter<T extends { readonly parent: Parent<T> | undefined }>(
  unit: T,
): readonly T[] {
  const siblings = unit.parent?.children ?? [];
  return siblings.slice(siblings.indexOf(unit) + 1);
}

interface Parent<T> {
  readonly children: readonly T[];
}

/** The outermost unit around one that begins at a unit or below, and ends before another. */
function outermostFrom(first: number, unit: KnownUnit, end: KnownUnit): KnownUnit {
  let found = unit;
  while (
    found.parent !== undefined &&
    found.parent.index >= first &&
    !isInside(end, found.parent)
  ) {
    found = found.parent;
  }
  return found;
}

function isInside(unit: KnownUnit | undefined, outer: KnownUnit): boolean {
  let around = unit?.parent;
  while (around !== undefined && around !== outer) around = around.parent;
  return around !== undefined;
}
