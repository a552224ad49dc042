import type { App, Plugin, TAbstractFile } from "obsidian";
import type { VaultPaths } from "../vault-paths.ts";
import type { Exclusion, FindExclusion } from "./exclusions.ts";
import { toFilePattern } from "./to-pattern.ts";

/** The reasons that hold for a single file; an excluded folder is a pattern itself. */
const reasons: readonly (Exclusion["kind"] | undefined)[] = [
  ...(["tag", "property", "unparsable", "obsidian"] as const),
];

export interface ExcludedNotesOptions {
  readonly app: Pick<App, "vault" | "metadataCache">;
  readonly paths: VaultPaths;
  readonly findExclusion: FindExclusion;
  /** Called when others are excluded than before. */
  readonly onChange: () => void;
}

/**
 * The files that are excluded because of their content, or by Obsidian, as patterns: an agent that reads from the
 * disk does not interpret tags or properties.
 */
export class ExcludedNotes {
  readonly #options: ExcludedNotesOptions;
  readonly #vaultPaths = new Set<string>();
  #isIndexed = false;

  constructor(options: ExcludedNotesOptions) {
    this.#options = options;
  }

  get patterns(): readonly string[] {
    return [...this.#vaultPaths].sort().map(toFilePattern);
  }

  register(plugin: Pick<Plugin, "registerEvent">): void {
    const { app, onChange } = this.#options;
    const { vault, metadataCache } = app;
    plugin.registerEvent(metadataCache.on("changed", (file) => this.lookAt(file)));
    plugin.registerEvent(vault.on("rename", (file, oldPath) => this.lookAt(file, oldPath)));
    plugin.registerEvent(
      vault.on("delete", ({ path }) => void (this.#vaultPaths.delete(path) && onChange())),
    );
    plugin.registerEvent(
      metadataCache.on("resolved", () => {
        // Later events follow the change of one file, which has been checked already.
        if (!this.#isIndexed) this.look();
        this.#isIndexed = true;
      }),
    );
  }

  /** Checks all files: the settings have changed, or the vault was indexed. */
  look(): void {
    const before = this.patterns.join("\n");
    this.#vaultPaths.clear();
    for (const { path } of this.#options.app.vault.getFiles()) this.#add(path);
    if (this.patterns.join("\n") !== before) this.#options.onChange();
  }

  /** Checks one file: its metadata or its path has changed. */
  lookAt({ path }: Pick<TAbstractFile, "path">, oldPath: string = path): void {
    const wasExcluded = this.#vaultPaths.delete(oldPath);
    if (this.#add(path) !== wasExcluded || path !== oldPath) this.#options.onChange();
  }

  #add(vaultPath: string): boolean {
    const { paths, findExclusion } = this.#options;
    const isExcluded = reasons.includes(findExclusion(paths.toAbsolute(vaultPath))?.kind);
    if (isExcluded) this.#vaultPaths.add(vaultPath);
    return isExcluded;
  }
}
