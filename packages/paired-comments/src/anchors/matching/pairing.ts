import type { Unit } from "../units/unit.ts";
import type { KnownUnit } from "./known-unit.ts";

/** Why two units are taken for the same. */
export type PairReason = "name" | "text" | "moved" | "renamed" | "similar";

export interface Pair {
  readonly unit: Unit;
  readonly reason: PairReason;
  /** 0 to 1. */
  readonly similarity: number;
}

/** Statements of no more tokens are in many cases. */
const smallest = 2;

/** Which unit of the source as it was is which of the source as it is: one to one. */
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

  /** All pairs but those of some units. */
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

  /** Are both the same unit, or both still without a partner? */
  allows(known: KnownUnit, unit: Unit): boolean {
    const partner = this.#fresh.get(known);
    return partner === undefined ? !this.#known.has(unit) : partner.unit === unit;
  }

  /** Is it the `break` of a case that is gone, and of one that is new? */
  isOfOtherCase(known: KnownUnit, unit: Unit): boolean {
    const [before, after] = [known.parent, unit.parent];
    if (before === undefined || after === undefined || known.size > smallest) return false;
    const isCase = before.type === after.type && before.type.includes("case");
    return isCase && this.isFree(before) && this.isUnclaimed(after);
  }
}
