import type { TFile, Vault } from "obsidian";

/**
 * Tracks which notes have unsaved text. Obsidian has no public flag for it, and saves about two seconds
 * after the last key press.
 */
export class UnsavedTexts {
  readonly #vault: Pick<Vault, "read">;
  readonly #onChange: () => void;
  /** Number of edits of each note since it was last saved. */
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

  /** Saves a note, which stays unsaved if the person types meanwhile. */
  async save({ path }: TFile, save: () => Promise<void>): Promise<void> {
    const before = this.#edited.get(path);
    await save();
    if (this.#edited.get(path) === before) this.forget(path);
  }

  /**
   * The file on disk was changed, by a save or by another program.
   * @param shown reads the text in the tab; undefined if no tab has the file
   */
  async written(file: TFile, shown: () => string | undefined): Promise<void> {
    if (!this.#edited.has(file.path)) return;
    const saved = await this.#vault.read(file);
    const text = shown();
    if (text === undefined || text === saved) this.forget(file.path);
  }

  /** It was saved, or no tab has it any longer. */
  forget(vaultPath: string): void {
    if (this.#edited.delete(vaultPath)) this.#onChange();
  }

  /** Discards notes without a tab: Obsidian saves before it closes a tab. */
  keepOnly(open: ReadonlySet<string>): void {
    for (const path of this.#edited.keys()) if (!open.has(path)) this.forget(path);
  }

  renamed(oldPath: string, newPath: string): void {
    const count = this.#edited.get(oldPath);
    if (this.#edited.delete(oldPath) && count !== undefined) this.#edited.set(newPath, count);
  }
}
