import {
  type Anchor,
  makeAnchor,
  type Outline,
  outlineOf,
  resolveAnchors,
  type SourceReader,
} from "@idewire/paired-comments";
import type { Unit, UnitTree } from "@idewire/paired-comments/internal";
import { diffArrays } from "diff";
import { overlap } from "./oracle/overlap.ts";
import type { Fact } from "./oracle/source-facts.ts";

/** The input of the methods. */
export interface Source {
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
  /** The oracle's facts; one method reads its symbols from them. */
  readonly facts: readonly Fact[];
}

/** The old places of comments, 1-based. */
export interface Lines {
  readonly line: number;
  readonly endLine: number;
}

/** A method's answer: the place, certain or a guess, or undefined for an orphan. */
export type Found =
  | { readonly line: number; readonly endLine?: number; readonly isGuess?: boolean }
  | undefined;

/** A method to locate lines of one version of a source in another one. */
export interface Method {
  readonly name: string;
  find(before: Source, after: Source, comments: readonly Lines[]): Promise<readonly Found[]>;
}

/** idewire, the original's two methods, and those of other tools, each in a few lines. */
export function createMethods(reader: SourceReader): readonly Method[] {
  return [
    { name: "idewire", find: (...args) => findByUnits(reader, ...args) },
    { name: "line number", find: async (_, __, comments) => comments },
    { name: "symbol path", find: async (...args) => findBySymbols(...args) },
    { name: "quote", find: async (...args) => findByQuote(...args) },
    { name: "diff", find: async (...args) => findByDiff(...args) },
    { name: "AST path", find: (...args) => findByTree(reader, ...args) },
  ];
}

/** Anchors pass through JSON, as in a file of comments. */
async function findByUnits(
  reader: SourceReader,
  before: Source,
  after: Source,
  comments: readonly Lines[],
): Promise<readonly Found[]> {
  const tree = await reader.read(before.path, before.text);
  const anchors = comments.map((range) => ({ ...range, anchor: makeAnchor(tree, range) }));
  const kept = JSON.parse(JSON.stringify({ outline: outlineOf(tree), anchors })) as {
    readonly outline: Outline;
    readonly anchors: readonly (Lines & { readonly anchor: Anchor })[];
  };
  const places = resolveAnchors(
    kept.outline,
    kept.anchors,
    await reader.read(after.path, after.text),
  );
  return places.map((place) =>
    place.status === "orphaned" ? undefined : { ...place, isGuess: place.status === "ambiguous" },
  );
}

/** As in the original's extension: the innermost symbol, and the offset from its first line. */
function findBySymbols(
  before: Source,
  after: Source,
  comments: readonly Lines[],
): readonly Found[] {
  return comments.map(({ line }) => {
    const around = before.facts.filter(
      (fact) => fact.isDeclaration && fact.line <= line && fact.endLine >= line,
    );
    const symbol = around.at(-1);
    const same = after.facts.filter((fact) => fact.isDeclaration && fact.path === symbol?.path);
    const [only] = same;
    if (symbol === undefined || only === undefined || same.length > 1) return undefined;
    return { line: only.line + line - symbol.line };
  });
}

/** As in Hypothesis: the text of the line, then its neighbours, then its position. */
function findByQuote(before: Source, after: Source, comments: readonly Lines[]): readonly Found[] {
  const scoreOf = (old: number, fresh: number) => {
    const like = (step: number) => likeness(before.lines[old + step], after.lines[fresh + step]);
    const quote = like(0);
    if (quote < 0.5) return 0;
    const position = 1 - Math.abs(old - fresh) / Math.max(before.lines.length, 1);
    return 50 * quote + 20 * like(-1) + 20 * like(1) + 2 * position;
  };
  return comments.map(({ line }) => {
    const scores = after.lines.map((_, index) => scoreOf(line - 1, index));
    const best = scores.reduce(
      (most, score, index) => (score > (scores[most] ?? 0) ? index : most),
      0,
    );
    return (scores[best] ?? 0) > 0 ? { line: best + 1 } : undefined;
  });
}

function likeness(a = "", b = ""): number {
  const [left, right] = [a.trim(), b.trim()];
  if (left === right) return 1;
  return overlap(left.split(/\b/).join(" "), right.split(/\b/).join(" "));
}

/** Myers' diff of the trimmed lines; it needs the whole old text. */
function findByDiff(before: Source, after: Source, comments: readonly Lines[]): readonly Found[] {
  const trim = (line: string) => line.trim();
  const places = new Map<number, number>();
  let [old, fresh] = [1, 1];
  for (const { added, removed, count } of diffArrays(
    before.lines.map(trim),
    after.lines.map(trim),
  )) {
    for (let index = 0; !added && !removed && index < count; index++) {
      places.set(old + index, fresh + index);
    }
    if (!added) old += count;
    if (!removed) fresh += count;
  }
  return comments.map(({ line }) => {
    const place = places.get(line);
    return place === undefined ? undefined : { line: place };
  });
}

/** The enclosing names, then the n-th unit of its type in them. */
async function findByTree(
  reader: SourceReader,
  before: Source,
  after: Source,
  comments: readonly Lines[],
): Promise<readonly Found[]> {
  const tree = await reader.read(before.path, before.text);
  const fresh = pathsOf(await reader.read(after.path, after.text));
  const old = new Map([...pathsOf(tree)].map(([path, line]) => [line, path]));
  return comments.map(({ line }) => {
    const place = fresh.get(old.get(line - 1) ?? "");
    return place === undefined ? undefined : { line: place + 1 };
  });
}

/** The 0-based lines of all units by their paths; the outermost unit of a line counts. */
function pathsOf({ units }: UnitTree): ReadonlyMap<string, number> {
  const paths = new Map<Unit, string>();
  const lines = new Map<string, number>();
  const taken = new Set<number>();
  for (const unit of units) {
    const { parent, first, name, type } = unit;
    const same = parent?.children.filter((child) => child.type === type) ?? [];
    const own = name ?? `${type}[${same.indexOf(unit)}]`;
    const path = parent === undefined ? "" : `${paths.get(parent) ?? ""}/${own}`;
    paths.set(unit, path);
    const line = first?.line;
    if (line === undefined || parent === undefined || taken.has(line)) continue;
    taken.add(line);
    if (!lines.has(path)) lines.set(path, line);
  }
  return lines;
}
