import type { Unit } from "../units/unit.ts";
import type { AnyUnit, KnownUnit } from "./known-unit.ts";
import type { Pairing } from "./pairing.ts";

/** Unpaired units between the same neighbours. */
export interface Gap {
  readonly before: readonly KnownUnit[];
  readonly after: readonly Unit[];
  /** Are the units before and after it unchanged? */
  readonly isFramed: boolean;
}

/** Has it the same text, whatever its name? */
export function isUnchanged(known: KnownUnit | undefined, unit: Unit | undefined): boolean {
  return known !== undefined && known.hash === unit?.hash;
}

interface FreeRun {
  readonly units: readonly KnownUnit[];
  /** The units with partners before and after it. */
  readonly first: KnownUnit | undefined;
  readonly last: KnownUnit | undefined;
}

/** Runs of adjacent unpaired units. */
export function freeRuns(children: readonly KnownUnit[], pairing: Pairing): readonly FreeRun[] {
  const runs: FreeRun[] = [];
  let units: KnownUnit[] = [];
  let first: KnownUnit | undefined;
  for (const last of [...children, undefined]) {
    if (last !== undefined && pairing.isFree(last)) {
      units.push(last);
      continue;
    }
    if (units.length > 0) runs.push({ units, first, last });
    units = [];
    first = last;
  }
  return runs;
}

/** Runs of unpaired units between neighbours that kept their order. */
export function gapsOf(
  { children: before, head }: KnownUnit,
  { children: after, head: headNow }: Unit,
  pairing: Pairing,
): readonly Gap[] {
  // The head of a block is before its first statement, and its end after the last one.
  const isBlockUnchanged = head !== "" && head === headNow;
  const places = new Map(after.map((unit, index) => [unit, index]));
  const gaps: Gap[] = [];
  let run: KnownUnit[] = [];
  let [start, from] = [0, 0];
  const isEdge = (step: 1 | -1, old: number, fresh: number) => {
    const [known, unit] = [codeFrom(before, old, step), codeFrom(after, fresh, step)];
    return known === undefined && unit === undefined ? isBlockUnchanged : isUnchanged(known, unit);
  };
  const close = (to: number, end: number) => {
    const fresh = after.slice(from, to).filter((unit) => pairing.isUnclaimed(unit));
    if (run.length > 0 && fresh.length > 0) {
      const isFramed = isEdge(-1, start - 1, from - 1) && isEdge(1, end, to);
      gaps.push({ before: run, after: fresh, isFramed });
    }
    run = [];
  };
  for (const [index, known] of before.entries()) {
    const partner = pairing.unitOf(known);
    if (partner === undefined) {
      if (run.length === 0) start = index;
      run.push(known);
      continue;
    }
    const place = places.get(partner);
    if (place === undefined || place < from) continue;
    close(place, index);
    from = place + 1;
  }
  close(after.length, before.length);
  return gaps;
}

/** The first unit from a place on that is no comment. */
function codeFrom<T extends AnyUnit>(
  units: readonly T[],
  from: number,
  step: 1 | -1,
): T | undefined {
  let index = from;
  while (units[index]?.type === "comment") index += step;
  return units[index];
}
