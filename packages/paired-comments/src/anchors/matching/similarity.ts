import { isDistinctive, type Token } from "../units/token.ts";
import { docstring, type Unit } from "../units/unit.ts";
import { lastIdentifier } from "../units/unit-builder.ts";
import { type AnyUnit, isImport, type KnownToken, type KnownUnit, keyOf } from "./known-unit.ts";

/** How many of a long unit's own tokens are compared. */
export const comparedTokens = 64;

/** Compares units of the old source with units of the current one. */
export class Similarity {
  readonly #inside = new WeakMap<AnyUnit, ReadonlyMap<string, number>>();

  /** 0 to 1; 1 for equal text, whatever the name. */
  of(known: KnownUnit, unit: Unit): number {
    const isEqual = known.hash === unit.hash;
    // The hash leaves out a name, which is all that an import has.
    if (isImport(known) && isImport(unit)) {
      return isEqual && known.name === unit.name ? 1 : this.#ofImports(known, unit);
    }
    if (isEqual) return 1;
    const head = this.#ofHeads(known, unit);
    const knownBody = bodySize(known);
    const body = bodySize(unit);
    if (knownBody === 0 || body === 0) return knownBody + body === 0 ? head : head * 0.5;
    const inside = this.#ofInsides(known, unit);
    const weight = Math.min(0.55, Math.max(shareOfBody(known), shareOfBody(unit)));
    return head * (1 - weight) + inside * weight;
  }

  /** By the names that they import, without the paths to these. */
  #ofImports({ tokens = [] }: KnownUnit, unit: Unit): number {
    return this.#overlap(importedNames(tokens), importedNames(unit.tokens), weightOf);
  }

  /** Compares heads: by tokens if stored, else by hash. */
  #ofHeads(known: KnownUnit, unit: Unit): number {
    if (known.head !== "" && known.head === unit.head) return 1;
    if (known.tokens === undefined) return known.type === unit.type ? 0.35 : 0.1;
    return this.ofTokens(withoutName(known.tokens, known), withoutName(unit.tokens, unit));
  }

  /** Similarity of two token sequences: common tokens and common bigrams; names count more than punctuation. */
  ofTokens(known: readonly KnownToken[], fresh: readonly (Token | KnownToken)[]): number {
    const a = known.filter(({ counts }) => counts).slice(0, comparedTokens);
    const b = fresh.filter(({ counts }) => counts).slice(0, comparedTokens);
    if (a.length === 0 || b.length === 0) return a.length === b.length ? 1 : 0;
    const words = this.#overlap(texts(a), texts(b), weightOf);
    const pairs = this.#overlap(neighbours(a), neighbours(b), () => 1);
    return 0.7 * words + 0.3 * pairs;
  }

  #overlap(a: readonly string[], b: readonly string[], weigh: (text: string) => number): number {
    const left = countsOf(a);
    let common = 0;
    let total = 0;
    for (const text of a) total += weigh(text);
    for (const text of b) {
      const weight = weigh(text);
      total += weight;
      const rest = left.get(text) ?? 0;
      if (rest === 0) continue;
      left.set(text, rest - 1);
      common += weight;
    }
    return total === 0 ? 1 : (2 * common) / total;
  }

  /** Share of common units inside, by size. */
  #ofInsides(known: KnownUnit, unit: Unit): number {
    const a = this.#contentOf(known);
    const b = this.#contentOf(unit);
    let common = 0;
    let total = 0;
    for (const [key, size] of a) {
      total += size;
      common += Math.min(size, b.get(key) ?? 0);
    }
    for (const size of b.values()) total += size;
    return total === 0 ? 1 : (2 * common) / total;
  }

  /** Total size of the units inside, each without its own inner units, by content. */
  #contentOf(unit: AnyUnit): ReadonlyMap<string, number> {
    const found = this.#inside.get(unit);
    if (found !== undefined) return found;
    const content = new Map<string, number>();
    for (const child of unit.children) {
      if (isProse(child)) continue;
      const key = child.head === "" ? keyOf(child) : `${child.head} ${child.name ?? ""}`;
      content.set(key, (content.get(key) ?? 0) + child.size - bodySize(child));
      for (const [inner, size] of this.#contentOf(child)) {
        content.set(inner, (content.get(inner) ?? 0) + size);
      }
    }
    this.#inside.set(unit, content);
    return content;
  }
}

function weightOf(text: string): number {
  return isDistinctive(text) ? 1 : 0.35;
}

const importWords: ReadonlySet<string> = new Set([
  ...["import", "from", "as", "type", "typeof", "static", "use", "function", "pub", "crate"],
  ...["using", "global", "namespace", "include", "#include", "extern", "const"],
  ...["require", "require_relative", "require_once", "include_once", "load", "source"],
  ...["extend", "prepend", "export"],
]);
/** Tokens before a further part of a path, or before the alias of an imported name. */
const separators: ReadonlySet<string> = new Set([".", "::", "\\", "/", "as"]);

/** Names and strings, except those followed by a further part of their path. */
function importedNames(tokens: readonly KnownToken[]): readonly string[] {
  return texts(tokens).filter((text, index) => {
    const isPath = separators.has(tokens[index + 1]?.text ?? "");
    const leadsOn = isPath && tokens[index + 2]?.text !== "*";
    return isDistinctive(text) && !importWords.has(text) && !leadsOn;
  });
}

function bodySize(unit: AnyUnit): number {
  return unit.children.reduce((sum, child) => (isProse(child) ? sum : sum + child.size), 0);
}

/** 0 to 1: how much of a unit is inside its inner units. */
function shareOfBody(unit: AnyUnit): number {
  return bodySize(unit) / (unit.size - docstringSize(unit));
}

function docstringSize({ children }: AnyUnit): number {
  return children.reduce((sum, { type, size }) => (type === docstring ? sum + size : sum), 0);
}

/** Prose does not count towards the similarity of declarations. */
function isProse({ type }: AnyUnit): boolean {
  return type === "comment" || type === docstring;
}

function withoutName<T extends KnownToken>(tokens: readonly T[], unit: AnyUnit): readonly T[] {
  const name = lastIdentifier(unit.name);
  const place = name === undefined ? -1 : tokens.findIndex(({ text }) => text === name);
  return place < 0 ? tokens : tokens.filter((_, index) => index !== place);
}

function texts(tokens: readonly KnownToken[]): readonly string[] {
  return tokens.map(({ text }) => text);
}

function neighbours(tokens: readonly KnownToken[]): readonly string[] {
  return tokens.map(({ text }, index) => `${tokens[index - 1]?.text ?? ""}\0${text}`);
}

function countsOf(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}
