import { isDistinctive } from "../units/token.ts";
import type { Unit, UnitTree } from "../units/unit.ts";
import { lastIdentifier } from "../units/unit-builder.ts";
import type { KnownToken, KnownUnit } from "./known-unit.ts";
import { comparedTokens } from "./similarity.ts";

/** Units returned for one. */
const mostLikely = 60;
/** Units looked at for one: those that share its rarest features. */
const mostVisited = 2_000;

/** Finds units of a source without visiting all of them, so that many comments take no quadratic time. */
export class UnitIndex {
  static readonly #known = new WeakMap<UnitTree, UnitIndex>();
  readonly #units: readonly Unit[];
  #byHash: ReadonlyMap<string, readonly Unit[]> | undefined;
  #byScope: ReadonlyMap<string, readonly Unit[]> | undefined;
  #byName: ReadonlyMap<string, readonly Unit[]> | undefined;
  #byFeature: ReadonlyMap<string, readonly Unit[]> | undefined;

  private constructor(units: readonly Unit[]) {
    this.#units = units.filter(({ parent }) => parent !== undefined);
  }

  /** The index of a source, made once. */
  static of(tree: UnitTree): UnitIndex {
    const index = UnitIndex.#known.get(tree) ?? new UnitIndex(tree.units);
    UnitIndex.#known.set(tree, index);
    return index;
  }

  withHash(hash: string): readonly Unit[] {
    this.#byHash ??= grouped(this.#units, (unit) => [unit.hash]);
    return this.#byHash.get(hash) ?? [];
  }

  /** Those whose declarations around, and the unit itself, have these names. */
  withScope(names: readonly string[]): readonly Unit[] {
    this.#byScope ??= grouped(this.#units, (unit) => [scopeNames(unit).join("\n")]);
    return this.#byScope.get(names.join("\n")) ?? [];
  }

  /** Those directly in a declaration of this name, and the declaration. */
  inDeclaration(name: string): readonly Unit[] {
    this.#byName ??= grouped(this.#units, (unit) => [
      lastIdentifier(scopeNames(unit).at(-1)) ?? "",
    ]);
    return this.#byName.get(name) ?? [];
  }

  /** The units that share most with another one, by rare features, in source order. */
  like(known: KnownUnit, holds: (unit: Unit) => boolean = () => true): readonly Unit[] {
    this.#byFeature ??= grouped(this.#units, featuresOf);
    const there = featuresOf(known)
      .map((feature) => this.#byFeature?.get(feature) ?? [])
      .sort((a, b) => a.length - b.length);
    const shares = new Map<Unit, number>();
    let visited = 0;
    for (const units of there) {
      if (visited >= mostVisited) break;
      for (const unit of units.slice(0, mostVisited)) {
        if (holds(unit)) shares.set(unit, (shares.get(unit) ?? 0) + 1 / units.length);
      }
      visited += units.length;
    }
    return [...shares]
      .sort(([, a], [, b]) => b - a)
      .slice(0, mostLikely)
      .map(([unit]) => unit)
      .sort((a, b) => a.index - b.index);
  }
}

/** Names of the enclosing declarations, the outermost first, and of the unit itself. */
export function scopeNames(unit: Unit): readonly string[] {
  const names: string[] = [];
  for (let scope: Unit | undefined = unit; scope !== undefined; scope = scope.parent) {
    if (scope.name !== undefined) names.unshift(scope.name);
  }
  return names;
}

/** What similar units have in common: words, equal text, equal parts. */
function featuresOf({ hash, head, children, tokens }: WithTokens): readonly string[] {
  const words = (tokens ?? []).slice(0, comparedTokens).map(({ text }) => text);
  return [
    ...new Set([
      ...words.filter(isDistinctive).map((text) => ` ${text}`),
      ...[hash, `{${head}`, ...children.map((child) => child.hash)],
    ]),
  ];
}

interface WithTokens extends Pick<KnownUnit, "hash" | "head"> {
  readonly children: readonly Pick<KnownUnit, "hash">[];
  readonly tokens: readonly KnownToken[] | undefined;
}

function grouped<T>(
  units: readonly T[],
  keysOf: (unit: T) => readonly string[],
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const unit of units) {
    for (const key of keysOf(unit)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [unit]);
      else group.push(unit);
    }
  }
  return groups;
}
