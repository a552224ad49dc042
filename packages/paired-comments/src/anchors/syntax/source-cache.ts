import type { Parser, Tree, TreeCursor } from "web-tree-sitter";
import { Recent } from "../../recent.ts";
import type { UnitTree } from "../units/unit.ts";
import type { Language } from "./languages.ts";
import { readChangedUnits, reparse } from "./read-changed.ts";
import type { ReadUnits } from "./read-units.ts";

/** The last version of a source that was read. */
export interface KeptSource {
  readonly path: string;
  readonly source: string;
  readonly language: Language;
  /** Without errors; deleted when the source is evicted. */
  readonly tree: Tree;
  readonly read: ReadUnits;
}

/** Shorter sources are not cached: they parse fast enough. */
const shortest = 20_000;
/** A source with its syntax tree takes a hundred times its length. The last one is kept whatever its length. */
const mostCharacters = 400_000;

/** A cache of recent large sources, so that only the changes of a later version are read. */
export class SourceCache {
  readonly #kept = new Recent<KeptSource>({
    heaviest: mostCharacters,
    ondrop: ({ tree }) => tree.delete(),
  });

  /** Undefined if no earlier version is cached, or the source has errors. */
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

  /** Caches a source, or deletes its tree. */
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
