import type { Parser, Tree, TreeCursor } from "web-tree-sitter";
import type { UnitTree } from "../units/unit.ts";
import type { Language } from "./languages.ts";
import { readChangedUnits, reparse } from "./read-changed.ts";
import type { ReadUnits } from "./read-units.ts";

/** A source as it was read last. */
export interface KeptSource {
  readonly path: string;
  readonly source: string;
  readonly language: Language;
  /** Without errors; it is deleted when the source is no longer kept. */
  readonly tree: Tree;
  readonly read: ReadUnits;
}

/** Shorter sources are parsed in no time. */
const shortest = 20_000;
/** With its syntax tree a source takes a hundred times its length; the last one is kept, whatever its length. */
const mostCharacters = 400_000;

/** The large sources that were read last: of a later version only what has changed is read. */
export class KeptSources {
  readonly #kept: KeptSource[] = [];

  /** Undefined where the source is not a later version of one that is kept, or has errors. */
  readChanged(path: string, source: string, parser: Parser): UnitTree | undefined {
    const known = this.#kept.find((each) => each.path === path);
    const { language } = known ?? {};
    if (known === undefined || language === undefined) return undefined;
    const reparsed = reparse(known, source, parser);
    if (reparsed === undefined) return undefined;
    const { tree, changed } = reparsed;
    const read = withCursor(tree, (cursor) =>
      readChangedUnits({ source, cursor, language }, known, changed),
    );
    if (read === undefined) {
      tree.delete();
      return undefined;
    }
    this.keep({ path, source, language, tree, read });
    return read.tree;
  }

  /** Keeps a source, or deletes its tree. */
  keep(kept: KeptSource): void {
    const { path, source, tree } = kept;
    this.#drop(this.#kept.findIndex((each) => each.path === path));
    if (source.length < shortest) {
      tree.delete();
      return;
    }
    this.#kept.push(kept);
    let characters = this.#kept.reduce((sum, each) => sum + each.source.length, 0);
    while (this.#kept.length > 1 && characters > mostCharacters) {
      characters -= this.#kept[0]?.source.length ?? 0;
      this.#drop(0);
    }
  }

  #drop(index: number): void {
    if (index < 0) return;
    for (const { tree } of this.#kept.splice(index, 1)) tree.delete();
  }
}

export function withCursor<T>(tree: Tree, act: (cursor: TreeCursor) => T): T {
  const cursor = tree.walk();
  try {
    return act(cursor);
  } finally {
    cursor.delete();
  }
}
