import type { Unit } from "../units/unit.ts";
import {
  type AnyUnit,
  declaresName,
  isScope,
  type KnownUnit,
  keyOf,
  nameKeyOf,
  scopeOf,
} from "./known-unit.ts";
import { matchInOrder } from "./match-in-order.ts";
import type { Pairing } from "./pairing.ts";

/** Smaller units, in tokens, are not distinctive enough to match outside their block. */
const smallestMoved = 8;

/** Pairs the children of a pair by name, then by equal text in order, then by unique equal text. */
export function matchEqualChildren(known: KnownUnit, unit: Unit, pairing: Pairing): void {
  const before = known.children.filter((child) => pairing.isFree(child));
  const after = unit.children.filter((child) => pairing.isUnclaimed(child));
  if (before.length === 0 || after.length === 0) return;
  matchUnique(known.children, unit.children, nameKeyOf, pairing, "name");
  matchHeads(before, after, pairing);
  matchInOrder(known.children, unit.children, pairing);
  matchUnique(before, after, keyOf, pairing, "moved");
}

/** Pairs statements whose head is unique on each side, if one of them has a body. */
function matchHeads(before: readonly KnownUnit[], after: readonly Unit[], pairing: Pairing): void {
  const distinctive = after.filter(isDistinctiveUnit);
  matchUnique(before.filter(hasInside), distinctive, headKeyOf, pairing, "name");
  matchUnique(before, distinctive.filter(hasInside), headKeyOf, pairing, "name");
}

/** Identifies `if (ready) {` or a signature whatever its body, and `case A:` even with an empty body. */
function headKeyOf({ name = "", type, head, hash }: AnyUnit): string {
  return `${type} ${head === "" ? hash : head} ${name}`;
}

/** Does it have a body? */
function hasInside({ head }: AnyUnit): boolean {
  return head !== "";
}

/** Does it have more than a keyword, such as `try`? */
function isDistinctiveUnit({ tokens }: Unit): boolean {
  return tokens.filter(({ text }) => /[\p{L}\p{N}]/u.test(text)).length >= 2;
}

/** Pairs units whose key is unique on each side. */
function matchUnique(
  before: readonly KnownUnit[],
  after: readonly Unit[],
  key: (unit: AnyUnit) => string | undefined,
  pairing: Pairing,
  how: "name" | "moved",
): void {
  const knownByKey = uniqueBy(
    before.filter((unit) => pairing.isFree(unit)),
    key,
  );
  const freshByKey = uniqueBy(
    after.filter((unit) => pairing.isUnclaimed(unit)),
    key,
  );
  for (const [text, known] of knownByKey) {
    const unit = freshByKey.get(text);
    if (known === undefined || unit === undefined) continue;
    if (!pairing.isFree(known) || !pairing.isUnclaimed(unit)) continue;
    if (how === "moved" && pairing.isOfOtherCase(known, unit)) continue;
    const isEqual = known.hash === unit.hash;
    const reason = how === "moved" ? "moved" : "name";
    pairing.add(known, { unit, reason: isEqual ? "text" : reason, similarity: isEqual ? 1 : 0.9 });
  }
}

/** Pairs declarations with a body whose names are unique in each file, wherever they are. */
export function matchNamesAnywhere(
  before: readonly KnownUnit[],
  after: readonly Unit[],
  pairing: Pairing,
): void {
  // Assigning to a variable does not declare it; `exports.run =` does.
  const name = (unit: AnyUnit) =>
    declaresName(unit) || unit.name?.includes(".") === true
      ? /[^.:]*$/.exec(withoutArguments(unit.name) ?? "")?.[0]
      : undefined;
  matchUnique(before.filter(isScope), after.filter(isScope), name, pairing, "name");
}

/** A name without the arguments of its type: `Buffer` of `Buffer<'a, W>`. */
function withoutArguments(name: string | undefined): string | undefined {
  return name && (/^[^<]+(?=<.*[^=]>$)/.exec(name)?.[0] ?? name);
}

/** By key; undefined for keys that occur more than once. */
export function uniqueBy<T extends AnyUnit>(
  units: readonly T[],
  key: (unit: AnyUnit) => string | undefined,
): ReadonlyMap<string, T | undefined> {
  const found = new Map<string, T | undefined>();
  for (const unit of units) {
    const text = key(unit);
    if (text !== undefined) found.set(text, found.has(text) ? undefined : unit);
  }
  return found;
}

/** Pairs units that left their block, if unique in the same declaration, then in the file. */
export function matchMoved(
  before: readonly KnownUnit[],
  after: readonly Unit[],
  pairing: Pairing,
): void {
  eachScope(before, after, pairing, (inside, fresh, scope) => {
    const direct = fresh.filter((unit) => scopeOf(unit) === scope);
    for (const found of [direct, fresh]) {
      matchUnique(inside, found, keyOf, pairing, "moved");
      matchUnique(inside, found, nameKeyOf, pairing, "name");
      matchHeads(inside, found, pairing);
    }
  });
  const isLarge = ({ size }: AnyUnit) => size >= smallestMoved;
  matchUnique(before.filter(isLarge), after.filter(isLarge), keyOf, pairing, "moved");
}

/** Visits each declaration: its unpaired direct units, and all unpaired units in its partner. */
function eachScope(
  before: readonly KnownUnit[],
  after: readonly Unit[],
  pairing: Pairing,
  act: (known: readonly KnownUnit[], fresh: readonly Unit[], partner: Unit) => void,
): void {
  const scopes = new Map<KnownUnit, KnownUnit[]>();
  for (const known of before) {
    if (!pairing.isFree(known)) continue;
    const scope = scopeOf(known);
    const inside = scopes.get(scope);
    if (inside === undefined) scopes.set(scope, [known]);
    else inside.push(known);
  }
  const partners = new Map<Unit, Unit[]>();
  for (const scope of scopes.keys()) {
    const partner = pairing.unitOf(scope);
    if (partner !== undefined) partners.set(partner, []);
  }
  for (const unit of after) {
    if (!pairing.isUnclaimed(unit)) continue;
    for (const outer of aroundOf(unit)) partners.get(outer)?.push(unit);
  }
  for (const [scope, inside] of scopes) {
    const partner = pairing.unitOf(scope);
    const there = partner && partners.get(partner);
    if (partner === undefined || there === undefined) continue;
    act(
      inside,
      there.filter((unit) => pairing.isUnclaimed(unit)),
      partner,
    );
  }
}

/** The units around one; the file only if no declaration is between. */
function* aroundOf(unit: Unit): Iterable<Unit> {
  for (let outer = unit.parent; outer !== undefined; outer = outer.parent) {
    if (outer.parent !== undefined || scopeOf(unit) === outer) yield outer;
  }
}
