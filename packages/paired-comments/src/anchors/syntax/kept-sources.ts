import type { Parser, Tree, TreeCursor } from "web-tree-sitter";
import { Recent } from "../../recent.ts";
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
  readonly #kept = new Recent<KeptSource>({
    heaviest: mostCharacters,
    ondrop: ({ tree }) => tree.delete(),
  });

  /** Undefined where the source is not a later version of one that is kept, or has errors. */
  readChanged(path: string, source: string, parser: Parser): UnitTree | undefined {
    const known = this.#kept.get(path);
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
    if (source.length >= shortest) {
      this.#kept.set(path, kept, source.length);
      return;
    }
    this.#kept.delete(path);
    tree.delete();
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
