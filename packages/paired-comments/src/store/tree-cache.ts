import type { SourceReader } from "../anchors/syntax/parsers.ts";
import type { UnitTree } from "../anchors/units/unit.ts";

/** A tree of a long source takes megabytes. */
const mostTrees = 8;

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
    const [oldest] = this.#trees.keys();
    if (this.#trees.size > mostTrees && oldest !== undefined) this.#trees.delete(oldest);
    return tree;
  }
}
