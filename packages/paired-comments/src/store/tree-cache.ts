import type { SourceReader } from "../anchors/syntax/parsers.ts";
import type { UnitTree } from "../anchors/units/unit.ts";
import { Recent } from "../recent.ts";

interface ReadTree {
  readonly source: string;
  readonly tree: UnitTree;
}

/** Caches the trees of recently read sources until they change. */
export class TreeCache {
  readonly #reader: SourceReader;
  /** A tree takes some thirty times the memory of its source. */
  readonly #trees = new Recent<ReadTree>({ most: 8, heaviest: 500_000 });

  constructor(reader: SourceReader) {
    this.#reader = reader;
  }

  async read(path: string, source: string): Promise<UnitTree> {
    const known = this.#trees.get(path);
    if (known?.source === source) return known.tree;
    const tree = await this.#reader.read(path, source);
    this.#trees.set(path, { source, tree }, source.length);
    return tree;
  }
}
