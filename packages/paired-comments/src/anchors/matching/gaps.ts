import type { Unit } from "../units/unit.ts";
import type { KnownUnit } from "./known-unit.ts";
import type { Pairing } from "./pairing.ts";

/** Unpaired units between the same neighbours. */
export interface Gap {
  readonly before: readonly KnownUnit[];
  readonly after: readonly Unit[];
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
  { children: before }: KnownUnit,
  { children: after }: Unit,
  pairing: Pairing,
): readonly Gap[] {
  const places = new Map(after.map((unit, index) => [unit, index]));
  const gaps: Gap[] = [];
  let run: KnownUnit[] = [];
  let from = 0;
  const close = (to: number) => {
    const fresh = after.slice(from, to).filter((unit) => pairing.isUnclaimed(unit));
    if (run.length > 0 && fresh.length > 0) gaps.push({ before: run, after: fresh });
    run = [];
  };
  for (const known of before) {
    const partner = pairing.unitOf(known);
    if (partner === undefined) {
      run.push(known);
      continue;
    }
    const place = places.get(partner);
    if (place === undefined || place < from) continue;
    close(place);
    from = place + 1;
  }
  close(after.length);
  return gaps;
}
