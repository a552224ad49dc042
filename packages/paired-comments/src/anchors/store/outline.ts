import type { KnownToken, KnownUnit } from "../matching/known-unit.ts";
import { tokenCounts } from "../units/token.ts";
import type { UnitTree } from "../units/unit.ts";

/**
 * The structure of a source, stored beside its comments to find their places in later versions. It contains no
 * text of the code except names.
 */
export interface Outline {
  /** Language id of the grammar, `text` for lines as units, or `lines` without units. */
  readonly language: string;
  /** Hash of the source. */
  readonly hash: string;
  /** Node types, referred to by index. */
  readonly types: readonly string[];
  /**
   * A line for each unit directly in the file, with its inner units: `depth,type,size,hash,head,name`. Numbers are
   * in base 36, units are separated by spaces, names are percent-encoded.
   */
  readonly units: readonly string[];
}

/** The outline of a source. */
export function outlineOf(tree: UnitTree): Outline {
  const types = new Map<string, number>();
  const lines: string[][] = [];
  const depths = new Map<number, number>();
  for (const unit of tree.units) {
    const depth = unit.parent === undefined ? 0 : (depths.get(unit.parent.index) ?? 0) + 1;
    depths.set(unit.index, depth);
    if (!types.has(unit.type)) types.set(unit.type, types.size);
    const numbers = [depth, types.get(unit.type) ?? 0, unit.size].map((n) => n.toString(36));
    const name = unit.name === undefined ? [] : [encodeURIComponent(wellFormed(unit.name))];
    const text = [...numbers, unit.hash, unit.head, ...name].join(",");
    if (depth <= 1) lines.push([text]);
    else lines.at(-1)?.push(text);
  }
  return {
    language: tree.language,
    hash: tree.hash,
    types: [...types.keys()],
    units: lines.map((line) => line.join(" ")),
  };
}

/** `encodeURIComponent` throws for a name cut between surrogates. */
function wellFormed(name: string): string {
  return name.replace(
    /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g,
    "?",
  );
}

interface DraftUnit extends KnownUnit {
  parent: DraftUnit | undefined;
  children: DraftUnit[];
}

/**
 * The units of an outline, parents first; empty if the outline is damaged.
 * @param tokens of units with comments, by unit index
 */
export function unitsOf(
  outline: Outline,
  tokens: ReadonlyMap<number, readonly string[]>,
): readonly KnownUnit[] {
  const last = lastUnits.get(outline);
  if (last !== undefined && isEqual(last.tokens, tokens)) return last.units;
  const units = readOutline(outline, tokens);
  lastUnits.set(outline, { tokens, units });
  return units;
}

/** Cached, because a source is compared with its outline at each edit. */
const lastUnits = new WeakMap<
  Outline,
  {
    readonly tokens: ReadonlyMap<number, readonly string[]>;
    readonly units: readonly KnownUnit[];
  }
>();

function isEqual<K, V>(one: ReadonlyMap<K, V>, other: ReadonlyMap<K, V>): boolean {
  return one.size === other.size && [...one].every(([key, value]) => other.get(key) === value);
}

function readOutline(
  outline: Outline,
  tokens: ReadonlyMap<number, readonly string[]>,
): readonly KnownUnit[] {
  const units: DraftUnit[] = [];
  const open: DraftUnit[] = [];
  for (const text of outline.units.join(" ").split(" ")) {
    const [depthText = "", type = "", size = "", hash = "", head = "", name] = text.split(",");
    const depth = Number.parseInt(depthText, 36);
    if (!(depth >= 0 && depth <= open.length) || (depth === 0 && units.length > 0)) return [];
    open.length = depth;
    const parent = open.at(-1);
    const unit: DraftUnit = {
      index: units.length,
      type: outline.types[Number.parseInt(type, 36)] ?? "",
      name: name === undefined ? undefined : decoded(name),
      size: Number.parseInt(size, 36) || 0,
      hash,
      head,
      parent,
      children: [],
      tokens: tokens.get(units.length)?.map(toKnownToken),
    };
    parent?.children.push(unit);
    units.push(unit);
    open.push(unit);
  }
  return units;
}

function toKnownToken(text: string): KnownToken {
  return { text, counts: tokenCounts(text) };
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
