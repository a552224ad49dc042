import type { TFile, Vault } from "obsidian";

/**
 * Knows which notes have text that is not on disk yet: Obsidian has no public flag for it, and saves
 * some two seconds after the last key.
 */
export class UnsavedTexts {
  readonly #vault: Pick<Vault, "read">;
  readonly #onChange: () => void;
  /** How often the person has typed into each since it was last on disk. */
  readonly #edited = new Map<string, number>();

  constructor(vault: Pick<Vault, "read">, onChange: () => void) {
    this.#vault = vault;
    this.#onChange = onChange;
  }

  has(vaultPath: string): boolean {
    return this.#edited.has(vaultPath);
  }

  /** The person has typed. */
  edited(vaultPath: string): void {
    const count = this.#edited.get(vaultPath) ?? 0;
    this.#edited.set(vaultPath, count + 1);
    if (count === 0) this.#onChange();
  }

  /** Saves a note; what the person types meanwhile is not on disk by that. */
  async save({ path }: TFile, save: () => Promise<void>): Promise<void> {
    const before = this.#edited.get(path);
    await save();
    if (this.#edited.get(path) === before) this.forget(path);
  }

  /**
   * The file on disk has changed: by a save, or by somebody else.
   * @param shown reads what the tab shows now that was typed into; undefined when it is in no tab
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
    for (const path of this.#edited.keys()) if (!open.has(path)) this.forget(path);
  }

  renamed(oldPath: string, newPath: string): void {
    const count = this.#edited.get(oldPath);
    if (this.#edited.delete(oldPath) && count !== undefined) this.#edited.set(newPath, count);
  }
}
