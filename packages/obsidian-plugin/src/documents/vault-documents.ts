import type { OpenDocument, PosixPath, RevealOptions, SaveOutcome } from "@idewire/core";
import { notShared } from "@idewire/core/internal";
import { ToolFailure } from "@idewire/core/rpc";
import {
  type App,
  type Component,
  FileView,
  MarkdownView,
  TextFileView,
  type TFile,
  type WorkspaceLeaf,
} from "obsidian";
import { addressOf } from "../selection/other-views.ts";
import type { VaultPaths } from "../vault-paths.ts";
import { describeDocument, describePage, merge } from "./describe-document.ts";
import { type FileLeaf, findFileLeaves } from "./file-leaves.ts";
import { showRange } from "./show-range.ts";
import { UnsavedTexts } from "./unsaved-texts.ts";

export interface VaultDocumentsParts {
  readonly app: App;
  readonly paths: VaultPaths;
  /** Called when tabs were opened, closed, edited, saved or focused. */
  readonly onChange: () => void;
}

/** The tabs of a vault as the documents of an editor. */
export class VaultDocuments {
  readonly #app: App;
  readonly #paths: VaultPaths;
  readonly #onChange: () => void;
  readonly #unsaved: UnsavedTexts;
  readonly #focusedMs = new WeakMap<WorkspaceLeaf, number>();
  /** The tab that the next preview may reuse. */
  #preview: WeakRef<WorkspaceLeaf> | undefined;

  constructor({ app, paths, onChange }: VaultDocumentsParts) {
    this.#app = app;
    this.#paths = paths;
    this.#onChange = onChange;
    this.#unsaved = new UnsavedTexts(app.vault, onChange);
  }

  /** Everything registered is removed when the component unloads. */
  register(component: Component): void {
    const { workspace, vault } = this.#app;
    component.registerEvent(
      workspace.on("active-leaf-change", (leaf) => {
        if (leaf !== null) this.#focusedMs.set(leaf, Date.now());
        this.#onChange();
      }),
    );
    component.registerEvent(workspace.on("layout-change", () => this.#layoutChanged()));
    component.registerEvent(workspace.on("file-open", () => this.#onChange()));
    component.registerEvent(
      workspace.on("editor-change", (_, { file }) => {
        if (file !== null) this.#unsaved.edited(file.path);
      }),
    );
    component.registerEvent(
      vault.on("modify", (file) => {
        const known = vault.getFileByPath(file.path);
        if (known !== null) void this.#unsaved.written(known, () => this.#shownIn(file.path));
      }),
    );
    component.registerEvent(
      vault.on("rename", (file, oldPath) => this.#unsaved.renamed(oldPath, file.path)),
    );
    component.registerEvent(vault.on("delete", ({ path }) => this.#unsaved.forget(path)));
  }

  /** The open documents, each file once. */
  list(): readonly OpenDocument[] {
    const active = this.#activeLeaf();
    const documents = new Map<string, OpenDocument>();
    for (const open of this.#leaves()) {
      const document = describeDocument(open, {
        path: this.#paths.toAbsolute(open.file.path),
        active: open.leaf === active,
        dirty: this.#unsaved.has(open.file.path),
        lastFocusedMs: this.#focusedMs.get(open.leaf) ?? 0,
      });
      const other = documents.get(document.path);
      documents.set(document.path, other === undefined ? document : merge(other, document));
    }
    return [...documents.values(), ...this.#pages(active)];
  }

  /**
   * The text of a file, unsaved text first.
   * @throws ToolFailure if it is not in the vault or is not text
   */
  async read(path: PosixPath): Promise<string> {
    const file = await this.demandFile(path);
    const shown = this.#shownIn(file.path);
    if (shown !== undefined) return shown;
    const saved = await this.#paths.read(path);
    if (saved.kind === "text") return saved.text;
    throw new ToolFailure(`${path} is not text; only UTF-8 text can be read`);
  }

  /**
   * The text in the tab of a file, saved or not; in the one focused last if there are several.
   * Undefined if there is none.
   */
  shownText(path: PosixPath): string | undefined {
    const vaultPath = this.#paths.toVault(path);
    return vaultPath === undefined ? undefined : this.#shownIn(vaultPath);
  }

  /**
   * The file at a path from an agent.
   * @throws ToolFailure if it is outside the vault or Obsidian does not know it
   */
  async demandFile(path: PosixPath): Promise<TFile> {
    const vaultPath = await this.#paths.demandInside(path);
    const file = this.#app.vault.getFileByPath(vaultPath);
    if (file !== null) return file;
    const isFolder = this.#app.vault.getFolderByPath(vaultPath) !== null;
    throw isFolder ? new ToolFailure(`${path} is a folder; name a file`) : notShared(path);
  }

  async reveal(path: PosixPath, options: RevealOptions): Promise<void> {
    const file = await this.demandFile(path);
    const { preview = false, preserveFocus = false, range } = options;
    const leaf = this.#leafFor(file, preview);
    const isNew = this.#leaves().every((open) => open.leaf !== leaf || open.file !== file);
    if (isNew) await leaf.openFile(file, { active: !preserveFocus });
    else if (leaf.isDeferred) await leaf.loadIfDeferred();
    if (!preserveFocus) {
      await this.#app.workspace.revealLeaf(leaf);
      this.#app.workspace.setActiveLeaf(leaf, { focus: true });
    }
    if (range !== undefined) showRange(leaf, range);
  }

  async save(path: PosixPath): Promise<SaveOutcome> {
    const file = await this.demandFile(path);
    try {
      await this.#unsaved.save(file, async () => {
        for (const { leaf } of this.#leavesOf(file.path)) {
          if (leaf.view instanceof TextFileView) await leaf.view.save();
        }
      });
    } catch (error) {
      return { saved: false, message: `${path} could not be saved: ${(error as Error).message}` };
    }
    return { saved: true };
  }

  isDirty({ path }: TFile): boolean {
    return this.#unsaved.has(path);
  }

  /** Whether a tab may have unsaved text: edits of canvases and the like are not reported. */
  mayBeUnsaved(path: PosixPath): boolean {
    const vaultPath = this.#paths.toVault(path);
    if (vaultPath === undefined) return false;
    const isNote = this.#leavesOf(vaultPath).every(({ leaf }) => leaf.view instanceof MarkdownView);
    return !isNote || this.#unsaved.has(vaultPath);
  }

  /** Closes the tabs of a note, by path or label; saves first and keeps pinned tabs. */
  async close(key: string): Promise<boolean> {
    const named = this.#leaves().filter((open) => this.#isNamed(open, key));
    const closable = named.filter(({ leaf }) => leaf.getViewState().pinned !== true);
    const [first] = closable;
    if (first === undefined) return false;
    if (this.#unsaved.has(first.file.path)) {
      const { saved } = await this.save(this.#paths.toAbsolute(first.file.path));
      if (!saved) return false;
    }
    for (const { leaf, file } of closable) if (file === first.file) leaf.detach();
    return true;
  }

  #pages(active: WorkspaceLeaf | undefined): readonly OpenDocument[] {
    const pages: OpenDocument[] = [];
    this.#app.workspace.iterateAllLeaves((leaf) => {
      const address = addressOf(leaf.view);
      if (address === undefined) return;
      const lastFocusedMs = this.#focusedMs.get(leaf) ?? 0;
      pages.push(describePage(leaf, address, { active: leaf === active, lastFocusedMs }));
    });
    return pages;
  }

  #isNamed({ leaf, file }: FileLeaf, key: string): boolean {
    const path = this.#paths.toAbsolute(file.path);
    return [leaf.getDisplayText(), path, file.path, file.name].includes(key.normalize("NFC"));
  }

  #layoutChanged(): void {
    const open = new Set(this.#leaves().map(({ file }) => file.path));
    this.#unsaved.keepOnly(open);
    this.#onChange();
  }

  #leaves(): readonly FileLeaf[] {
    return findFileLeaves(this.#app.workspace, this.#app.vault);
  }

  /** The tabs of a file, most recently focused first. */
  #leavesOf(vaultPath: string): readonly FileLeaf[] {
    return this.#leaves()
      .filter(({ file }) => file.path === vaultPath)
      .map((open) => ({ open, focusedMs: this.#focusedMs.get(open.leaf) ?? 0 }))
      .sort((left, right) => right.focusedMs - left.focusedMs)
      .map(({ open }) => open);
  }

  /** The most recently focused tab of a file, or a new one. */
  #leafFor(file: TFile, preview: boolean): WorkspaceLeaf {
    const [open] = this.#leavesOf(file.path);
    if (open !== undefined) return open.leaf;
    const { workspace } = this.#app;
    if (!preview) return workspace.getLeaf("tab");
    const leaf = this.#previewLeaf() ?? workspace.getLeaf("tab");
    this.#preview = new WeakRef(leaf);
    return leaf;
  }

  #previewLeaf(): WorkspaceLeaf | undefined {
    const preview = this.#preview?.deref();
    const known = this.#leaves().find(({ leaf }) => leaf === preview);
    if (known === undefined) return undefined;
    const isKept = known.leaf.getViewState().pinned === true || this.#unsaved.has(known.file.path);
    return isKept ? undefined : known.leaf;
  }

  #activeLeaf(): WorkspaceLeaf | undefined {
    const { workspace } = this.#app;
    const view = workspace.getActiveViewOfType(FileView);
    return view?.leaf ?? workspace.getMostRecentLeaf() ?? undefined;
  }

  #shownIn(vaultPath: string): string | undefined {
    const views = this.#leavesOf(vaultPath).map(({ leaf }) => leaf.view);
    return views.find((view) => view instanceof TextFileView)?.getViewData();
  }
}
