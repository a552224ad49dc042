import type { TFile, Vault } from "obsidian";

/**
 * Knows which notes have text that is not on disk yet: Obsidian has no public flag for it, and saves
 * some two seconds after the last key.
 */
export class UnsavedTexts {
  readonly #vault: Pick<Vault, "read">;
  readonly #onChange: () => void;
  readonly #edited = new Set<string>();

  constructor(vault: Pick<Vault, "read">, onChange: () => void) {
    this.#vault = vault;
    this.#onChange = onChange;
  }

  has(vaultPath: string): boolean {
    return this.#edited.has(vaultPath);
  }

  /** The person has typed. */
  edited(vaultPath: string): void {
    if (this.#edited.has(vaultPath)) return;
    this.#edited.add(vaultPath);
    this.#onChange();
  }

  /**
   * The file on disk has changed: by a save, or by somebody else.
   * @param shown reads what its tab shows now; undefined when it is in no tab
   */
  async written(file: TFile, shown: () => string | undefined): Promise<void> {
    if (!this.#edited.has(file.path)) return;
    const saved = await this.#vault.read(file);
    const text = shown();
    if (text === undefined || text === saved) this.forget(file.path);
  }

  /** It is saved, or is in no tab any more. */
  forget(vaultPath: string): void {
    if (this.#edited.delete(vaultPath)) this.#onChange();
  }

  /** What is in no tab has no unsaved text: Obsidian saves before it closes one. */
  keepOnly(open: ReadonlySet<string>): void {
    for (const path of this.#edited) if (!open.has(path)) this.forget(path);
  }

  renamed(oldPath: string, newPath: string): void {
    if (this.#edited.delete(oldPath)) this.#edited.add(newPath);
  }
}
