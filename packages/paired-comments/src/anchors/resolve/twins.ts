import { type KnownUnit, keyOf } from "../matching/known-unit.ts";
import { neighboursInCommon } from "../matching/match-declarations.ts";
import type { MatchedTrees } from "../matching/match-trees.ts";
import type { Pairing } from "../matching/pairing.ts";
import type { Unit } from "../units/unit.ts";

/** Finds what is there twice side by side now, so that nothing tells which of both was there before. */
export class Twins {
  readonly #pairing: Pairing;
  /** Units without a partner, by what they are in. */
  readonly #spare = new Map<Unit, Unit[]>();

  constructor({ pairing, units }: MatchedTrees) {
    this.#pairing = pairing;
    for (const unit of units) {
      if (unit.parent === undefined || !pairing.isUnclaimed(unit)) continue;
      const siblings = this.#spare.get(unit.parent);
      if (siblings === undefined) this.#spare.set(unit.parent, [unit]);
      else siblings.push(unit);
    }
  }

  /** What a unit may be as well as its partner: a copy of this, or the same place in a copy of what is around it. */
  of(known: KnownUnit): Unit | undefined {
    const path: number[] = [];
    let partner = this.#pairing.unitOf(known);
    for (; partner?.parent !== undefined; partner = partner.parent) {
      const copy = this.#copyOf(partner);
      if (copy !== undefined) return path.reduce<Unit | undefined>(childAt, copy);
      path.unshift(partner.parent.children.indexOf(partner));
    }
    return undefined;
  }

  #copyOf(partner: Unit): Unit | undefined {
    const known = this.#pairing.knownOf(partner);
    const siblings = partner.parent && this.#spare.get(partner.parent);
    if (known === undefined || siblings === undefined || known.hash !== partner.hash) {
      return undefined;
    }
    const beside = neighboursInCommon(known, partner, this.#pairing);
    return siblings.find(
      (unit) =>
        unit.type === partner.type &&
        keyOf(unit) === keyOf(partner) &&
        neighboursInCommon(known, unit, this.#pairing) >= beside &&
        this.#isOpen(partner, unit),
    );
  }

  /** Is nothing between two siblings that was there before? */
  #isOpen(one: Unit, other: Unit): boolean {
    const siblings = one.parent?.children ?? [];
    const [from, to] = [siblings.indexOf(one), siblings.indexOf(other)].sort((a, b) => a - b);
    return siblings.slice((from ?? 0) + 1, to).every((unit) => this.#pairing.isUnclaimed(unit));
  }
}

function childAt(unit: Unit | undefined, index: number): Unit | undefined {
  return unit?.children[index];
}
