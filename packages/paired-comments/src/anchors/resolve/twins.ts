import { isDescription, type KnownUnit, keyOf } from "../matching/known-unit.ts";
import { neighboursInCommon, siblingOf } from "../matching/match-declarations.ts";
import { descriptionsOf } from "../matching/match-descriptions.ts";
import type { MatchedTrees } from "../matching/match-trees.ts";
import type { Pairing } from "../matching/pairing.ts";
import type { Unit } from "../units/unit.ts";

/** Most copies examined. */
const mostCopies = 20;

/** Finds adjacent copies that cannot be distinguished from the original. */
export class Twins {
  readonly #pairing: Pairing;
  /** Unpaired units by parent. */
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

  /** An equally likely partner: a copy of the partner, or its counterpart in a copy of an enclosing unit. */
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
    const code = isDescription(partner) ? siblingOf(known, 1) : undefined;
    if (code !== undefined) return this.#copyInFrontOf(code as KnownUnit, partner);
    const beside = neighboursInCommon(known, partner, this.#pairing);
    return siblings
      .filter((unit) => unit.type === partner.type && keyOf(unit) === keyOf(partner))
      .slice(0, mostCopies)
      .find(
        (unit) =>
          neighboursInCommon(known, unit, this.#pairing) >= beside ||
          this.#isInCopiedRun(partner, unit),
      );
  }

  /** A copy of a comment: in front of a copy of its code, or anywhere if its code is gone. */
  #copyInFrontOf(code: KnownUnit, partner: Unit): Unit | undefined {
    const unit = this.#pairing.unitOf(code);
    const copy = unit && this.#copyOf(unit);
    const others = unit === undefined ? partner.parent?.children : copy && descriptionsOf(copy);
    return others?.find((other) => other !== partner && keyOf(other) === keyOf(partner));
  }

  /** Are they counterparts in two adjacent copies of a run that kept equally many old neighbours? */
  #isInCopiedRun(partner: Unit, copy: Unit): boolean {
    const siblings = (partner.parent?.children ?? []).filter((unit) => !isDescription(unit));
    const index = siblings.indexOf(partner);
    if (index < 0) return false;
    const shift = siblings.indexOf(copy) - index;
    const length = Math.abs(shift);
    const isCopied = (at: number) => {
      const [one, other] = [siblings[at], siblings[at + shift]];
      if (one === undefined || other === undefined) return false;
      if (this.#pairing.isUnclaimed(one) || !this.#pairing.isUnclaimed(other)) return false;
      return one.type === other.type && keyOf(one) === keyOf(other);
    };
    let first = index;
    while (index - first < length - 1 && isCopied(first - 1)) first--;
    let last = index;
    while (last - first < length - 1 && isCopied(last + 1)) last++;
    if (last - first < length - 1) return false;
    const [ownStep, copyStep] = shift > 0 ? [-1, 1] : [1, -1];
    const [start, end] = shift > 0 ? [first, last] : [last, first];
    const isOwn = this.#isBeside(siblings[start], siblings[start], ownStep);
    return !isOwn || this.#isBeside(siblings[end], siblings[end + shift], copyStep);
  }

  /** Is the old neighbour of one unit's partner now beside another unit? */
  #isBeside(of: Unit | undefined, unit: Unit | undefined, step: number): boolean {
    const known = of && this.#pairing.knownOf(of);
    if (known === undefined || unit === undefined) return false;
    const old = siblingOf(known, step);
    const now = siblingOf(unit, step);
    if (old === undefined || now === undefined) return old === now;
    return this.#pairing.unitOf(old as KnownUnit) === now;
  }
}

function childAt(unit: Unit | undefined, index: number): Unit | undefined {
  return unit?.children[index];
}
