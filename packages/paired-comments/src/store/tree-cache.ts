import type { SourceReader } from "../anchors/syntax/parsers.ts";
import type { UnitTree } from "../anchors/units/unit.ts";

const mostTrees = 8;
/** A tree takes some thirty times what its source does; the last one is kept, whatever its size. */
const mostCharacters = 500_000;

/** The sources that were read last are not parsed again until they change. */
export class TreeCache {
  readonly #reader: SourceReader;
  readonly #trees = new Map<string, { readonly source: string; readonly tree: UnitTree }>();

  constructor(reader: SourceReader) {
    this.#reader = reader;
  }

  async read(path: string, source: string): Promise<UnitTree> {
    const known = this.#trees.get(path);
    if (known?.source === source) return known.tree;
    const tree = await this.#reader.read(path, source);
    this.#trees.delete(path);
    this.#trees.set(path, { source, tree });
    this.#forget(source.length);
    return tree;
  }

  /** Keeps what was read last. */
  #forget(last: number): void {
    let characters = [...this.#trees.values()].reduce((sum, each) => sum + each.source.length, 0);
    for (const [path, { source }] of this.#trees) {
      if (this.#trees.size <= mostTrees && characters <= Math.max(mostCharacters, last)) return;
      this.#trees.delete(path);
      characters -= source.length;
    }
  }
}
