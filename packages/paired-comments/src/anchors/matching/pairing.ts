import type { Unit } from "../units/unit.ts";
import type { KnownUnit } from "./known-unit.ts";

/** Why two units were paired. */
export type PairReason = "name" | "text" | "moved" | "renamed" | "similar";

export interface Pair {
  readonly unit: Unit;
  readonly reason: PairReason;
  /** 0 to 1. */
  readonly similarity: number;
}

/** Statements of at most this many tokens occur in many cases. */
const smallest = 2;

/** Pairs units of the old source with units of the current one, one to one. */
export class Pairing {
  readonly #fresh = new Map<KnownUnit, Pair>();
  readonly #known = new Map<Unit, KnownUnit>();

  get size(): number {
    return this.#fresh.size;
  }

  add(known: KnownUnit, pair: Pair): void {
    this.#fresh.set(known, pair);
    this.#known.set(pair.unit, known);
  }

  /** A copy without the pairs of some units. */
  without(isLeftOut: (known: KnownUnit) => boolean): Pairing {
    const rest = new Pairing();
    for (const [known, pair] of this.#fresh) if (!isLeftOut(known)) rest.add(known, pair);
    return rest;
  }

  pairOf(known: KnownUnit): Pair | undefined {
    return this.#fresh.get(known);
  }

  unitOf(known: KnownUnit): Unit | undefined {
    return this.#fresh.get(known)?.unit;
  }

  knownOf(unit: Unit): KnownUnit | undefined {
    return this.#known.get(unit);
  }

  isFree(unit: KnownUnit): boolean {
    return !this.#fresh.has(unit);
  }

  isUnclaimed(unit: Unit): boolean {
    return !this.#known.has(unit);
  }

  /** Are they small statements, such as `break`, of a removed case and of a new one? */
  isOfOtherCase(known: KnownUnit, unit: Unit): boolean {
    const [before, after] = [known.parent, unit.parent];
    if (before === undefined || after === undefined || known.size > smallest) return false;
    const isCase = before.type === after.type && before.type.includes("case");
    return isCase && this.isFree(before) && this.isUnclaimed(after);
  }
}
