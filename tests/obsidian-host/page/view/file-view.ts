import { debounce } from "../obsidian/debounce.ts";
import { type TAbstractFile, TFile } from "../vault/files.ts";
import type { WorkspaceLeaf } from "../workspace/leaf.ts";
import { ItemView, type State, type ViewStateResult } from "./view.ts";

/** How long Obsidian waits after a change before it writes the note. */
const AUTOSAVE_MS = 2000;

export abstract class FileView extends ItemView {
  allowNoFile = false;
  file: TFile | null = null;
  override navigation = true;

  override onload(): void {
    this.registerEvent(this.app.vault.on("delete", (file: TAbstractFile) => this.#deleted(file)));
  }

  getDisplayText(): string {
    return this.file?.basename ?? "No file";
  }

  override getState(): State {
    return { file: this.file?.path ?? null };
  }

  override async setState(state: State, _result: ViewStateResult): Promise<void> {
    if (!("file" in state)) return;
    const file = this.app.vault.getFileByPath(String(state["file"]));
    if (file !== this.file) await this.#load(file);
  }

  override async close(): Promise<void> {
    if (this.file !== null) await this.onUnloadFile(this.file);
    await super.close();
  }

  async onLoadFile(_file: TFile): Promise<void> {}

  async onUnloadFile(_file: TFile): Promise<void> {}

  async #load(file: TFile | null): Promise<void> {
    if (this.file !== null) await this.onUnloadFile(this.file);
    this.file = file;
    if (file !== null) await this.onLoadFile(file);
    this.updateHeader();
  }

  #deleted(file: TAbstractFile): void {
    if (file !== this.file) return;
    this.file = null;
    this.leaf.detach();
  }
}

export abstract class EditableFileView extends FileView {}

export abstract class TextFileView extends EditableFileView {
  data = "";
  requestSave: () => void;
  /** Not declared; Obsidian's own flag for unsaved changes. */
  dirty = false;
  #saving: Promise<void> = Promise.resolve();
  readonly #later: { cancel(): unknown };

  constructor(leaf: WorkspaceLeaf) {
    super(leaf);
    const later = debounce(() => void this.save().catch(reportError), AUTOSAVE_MS);
    this.#later = later;
    this.requestSave = () => {
      this.dirty = true;
      later();
    };
  }

  abstract getViewData(): string;
  abstract setViewData(data: string, clear: boolean): void;
  abstract clear(): void;

  override onload(): void {
    super.onload();
    this.registerEvent(
      this.app.vault.on("modify", (file: TAbstractFile) => void this.#changed(file)),
    );
  }

  override async onLoadFile(file: TFile): Promise<void> {
    this.data = await this.app.vault.read(file);
    this.dirty = false;
    this.setViewData(this.data, true);
  }

  override async onUnloadFile(_file: TFile): Promise<void> {
    await this.save(true);
  }

  async save(clear = false): Promise<void> {
    this.#later.cancel();
    const { file } = this;
    const text = this.getViewData();
    if (clear) this.clear();
    if (file === null || !this.dirty || text === this.data) {
      this.dirty = false;
      return;
    }
    this.dirty = false;
    const before = this.data;
    this.data = text;
    this.#saving = this.app.vault.modify(file, text);
    try {
      await this.#saving;
    } catch (error) {
      this.dirty = true;
      this.data = before;
      throw error;
    }
  }

  /** Another program wrote the file: the view shows the new text, unless it has unsaved changes. */
  async #changed(file: TAbstractFile): Promise<void> {
    if (file !== this.file || !(file instanceof TFile)) return;
    const text = await this.#readAgain(file);
    if (text === undefined || text === this.data || file !== this.file) return;
    this.data = text;
    if (!this.dirty) this.setViewData(text, false);
  }

  /** Undefined if the file was deleted since it changed: its deletion is reported next. */
  async #readAgain(file: TFile): Promise<string | undefined> {
    const { vault } = this.app;
    try {
      return await vault.read(file);
    } catch (error) {
      if (await vault.adapter.exists(file.path)) throw error;
      return undefined;
    }
  }
}
