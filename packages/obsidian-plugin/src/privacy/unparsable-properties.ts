import type { CachedMetadata, MetadataCache, Plugin, TFile, Vault } from "obsidian";

/** Matches invalid YAML that may exclude its note; escapes may spell anything. */
const MENTION = /agent|\\/i;

/**
 * Whether a note whose properties are not valid YAML may be meant to be excluded. Obsidian knows nothing
 * of such properties, so their text is searched; until it is read, the note counts as excluded.
 */
export class UnparsableProperties {
  readonly #vault: Pick<Vault, "cachedRead">;
  readonly #onChange: (file: TFile) => void;
  readonly #known = new Map<string, { readonly mtime: number; readonly mayExclude: boolean }>();

  /** @param onChange called when the answer for a note may be another one */
  constructor(vault: Pick<Vault, "cachedRead">, onChange: (file: TFile) => void) {
    this.#vault = vault;
    this.#onChange = onChange;
  }

  register(plugin: Pick<Plugin, "registerEvent">, metadataCache: MetadataCache): void {
    plugin.registerEvent(
      metadataCache.on("changed", (file, text, cache) => {
        if (isUnparsable(cache)) this.#note(file, text);
        else this.#known.delete(file.path);
      }),
    );
  }

  mayExclude(file: TFile): boolean {
    const known = this.#known.get(file.path);
    if (known?.mtime === file.stat.mtime) return known.mayExclude;
    void this.#vault.cachedRead(file).then(
      (text) => this.#note(file, text),
      () => undefined,
    );
    return true;
  }

  #note(file: TFile, text: string): void {
    const { mtime } = file.stat;
    const known = this.#known.get(file.path);
    const mayExclude = MENTION.test(propertiesOf(text));
    this.#known.set(file.path, { mtime, mayExclude });
    if (known?.mayExclude !== mayExclude) this.#onChange(file);
  }
}

/** If the properties are not valid YAML, Obsidian reports their block, but not its content. */
export function isUnparsable({ frontmatter, sections }: CachedMetadata): boolean {
  const [first] = sections ?? [];
  if (frontmatter !== undefined || first?.type !== "yaml") return false;
  const { start, end } = first.position;
  // An empty block has nothing between its two lines.
  return end.line - start.line > 1;
}

function propertiesOf(text: string): string {
  const end = text.indexOf("\n---", 3);
  return end === -1 ? text : text.slice(0, end);
}
