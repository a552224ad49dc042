import type { App } from "../host-app.ts";
import { type Debouncer, debounce } from "../obsidian/debounce.ts";
import type { TFile } from "../vault/files.ts";
import { FileView } from "../view/file-view.ts";
import { MarkdownView } from "../view/markdown-view.ts";
import type { View } from "../view/view.ts";
import { setActiveWindow } from "./active.ts";
import {
  WorkspaceFloating,
  type WorkspaceParent,
  WorkspaceRibbon,
  WorkspaceRoot,
  WorkspaceSidedock,
} from "./items.ts";
import { type Layout, readLayout, writeLayout } from "./layout.ts";
import type { WorkspaceLeaf } from "./leaf.ts";
import { WorkspacePanes } from "./panes.ts";
import { WorkspaceWindow } from "./popout.ts";
import { WorkspaceTabs } from "./tabs.ts";

export class Workspace extends WorkspacePanes {
  override readonly app: App;
  readonly containerEl: HTMLElement = createDiv("workspace");
  readonly leftRibbon: WorkspaceRibbon = new WorkspaceRibbon("left");
  readonly rightRibbon: WorkspaceRibbon = new WorkspaceRibbon("right");
  override readonly leftSplit: WorkspaceSidedock;
  override readonly rightSplit: WorkspaceSidedock;
  override readonly rootSplit: WorkspaceRoot;
  override readonly floatingSplit: WorkspaceFloating;
  override activeLeaf: WorkspaceLeaf | null = null;
  layoutReady = false;
  requestSaveLayout: Debouncer<[], Promise<void>>;
  readonly #ready: (() => unknown)[] = [];
  readonly #lastOpen: string[] = [];
  #activeFile: TFile | null = null;
  #changing: number | undefined;

  constructor(app: App) {
    super();
    this.app = app;
    this.leftSplit = new WorkspaceSidedock(this, "left");
    this.rightSplit = new WorkspaceSidedock(this, "right");
    this.rootSplit = new WorkspaceRoot(this);
    this.floatingSplit = new WorkspaceFloating(this);
    const { leftRibbon, leftSplit, rootSplit, rightSplit } = this;
    this.containerEl.append(
      ...[leftRibbon, leftSplit, rootSplit, rightSplit].map((part) => part.containerEl),
    );
    // If the layout cannot be written, only the layout is lost.
    this.requestSaveLayout = debounce(() => this.saveLayout().catch(() => {}), 300);
  }

  onLayoutReady(act: () => unknown): void {
    if (this.layoutReady) act();
    else this.#ready.push(act);
  }

  /** Obsidian reports this once, when everything that was open is restored. */
  becomeReady(): void {
    this.layoutReady = true;
    for (const act of this.#ready.splice(0)) {
      try {
        act();
      } catch (error) {
        reportError(error);
      }
    }
  }

  getLayout(): Layout {
    return writeLayout(this);
  }

  changeLayout(layout: Layout): Promise<void> {
    return readLayout(this, layout);
  }

  async saveLayout(): Promise<void> {
    const { vault } = this.app;
    await vault.adapter.write(
      `${vault.configDir}/workspace.json`,
      JSON.stringify(this.getLayout(), null, 2),
    );
  }

  override setActiveLeaf(
    leaf: WorkspaceLeaf,
    params: { focus?: boolean } | boolean = {},
    focus = false,
  ): void {
    const wantsFocus = typeof params === "boolean" ? focus : params.focus === true;
    const isNew = leaf !== this.activeLeaf;
    this.activeLeaf?.containerEl.removeClass("mod-active");
    leaf.containerEl.addClass("mod-active");
    this.activeLeaf = leaf;
    leaf.activeTime = performance.now();
    setActiveWindow(leaf.getContainer().win);
    if (wantsFocus && leaf.view instanceof MarkdownView && leaf.view.getMode() === "source") {
      leaf.view.editor.focus();
    }
    if (isNew) this.trigger("active-leaf-change", leaf);
    this.fileMayHaveChanged(leaf);
    this.requestSaveLayout();
  }

  /** The person clicked or typed in a leaf. */
  noteFocus(leaf: WorkspaceLeaf): void {
    if (leaf !== this.activeLeaf && leaf.parent !== null) this.setActiveLeaf(leaf);
  }

  /** Emits `file-open` if the active leaf shows another file than before. */
  fileMayHaveChanged(leaf: WorkspaceLeaf): void {
    if (leaf !== this.activeLeaf) return;
    const file = leaf.view instanceof FileView ? leaf.view.file : null;
    if (file === this.#activeFile) return;
    this.#activeFile = file;
    if (file !== null) {
      const known = this.#lastOpen.indexOf(file.path);
      if (known >= 0) this.#lastOpen.splice(known, 1);
      this.#lastOpen.unshift(file.path);
    }
    this.trigger("file-open", file);
  }

  get activeEditor(): MarkdownView | null {
    const view = this.activeLeaf?.view;
    return view instanceof MarkdownView ? view : null;
  }

  async ensureSideLeaf(
    type: string,
    side: "left" | "right",
    {
      active = false,
      split = false,
      reveal = true,
      state,
    }: {
      active?: boolean;
      split?: boolean;
      reveal?: boolean;
      state?: Record<string, unknown>;
    } = {},
  ): Promise<WorkspaceLeaf> {
    const dock = side === "left" ? this.leftSplit : this.rightSplit;
    const known = this.getLeavesOfType(type).find((leaf) => leaf.getRoot() === dock);
    const leaf = known ?? this.sideLeaf(dock, split);
    if (known === undefined) await leaf.setViewState({ type, active, ...(state && { state }) });
    if (reveal) await this.revealLeaf(leaf);
    return leaf;
  }

  getActiveViewOfType<T extends View>(type: abstract new (...args: never[]) => T): T | null {
    const view = this.activeLeaf?.view;
    return view instanceof type ? view : null;
  }

  getActiveFile(): TFile | null {
    return this.#activeFile;
  }

  async revealLeaf(leaf: WorkspaceLeaf): Promise<void> {
    if (leaf.parent instanceof WorkspaceTabs) leaf.parent.selectTab(leaf);
    const root = leaf.getRoot();
    if (root instanceof WorkspaceSidedock) root.expand();
    await leaf.loadIfDeferred();
  }

  /** Reconfigures every editor with the current extensions of plugins. */
  updateOptions(): void {
    for (const leaf of this.leaves())
      if (leaf.view instanceof MarkdownView) leaf.view.updateOptions();
  }

  override changed(): void {
    this.requestSaveLayout();
    this.#changing ??= window.setTimeout(() => {
      this.#changing = undefined;
      this.trigger("layout-change");
    }, 0);
  }

  override emptied(parent: WorkspaceParent): void {
    if (parent instanceof WorkspaceWindow) parent.win.close();
    else if (parent === this.rootSplit) this.createLeafInParent(this.rootSplit, 0);
    else if (parent.parent !== null && !(parent instanceof WorkspaceFloating))
      parent.parent.removeChild(parent);
  }

  /** A leaf was closed: another tab becomes active. */
  forget(leaf: WorkspaceLeaf): void {
    if (leaf !== this.activeLeaf) return;
    this.activeLeaf = null;
    const next = this.getMostRecentLeaf();
    if (next !== null) this.setActiveLeaf(next);
  }

  protected override windowClosed(popout: WorkspaceWindow): void {
    if (!this.floatingSplit.children.includes(popout)) return;
    const leaves = this.leaves().filter((leaf) => leaf.getRoot() === popout);
    this.floatingSplit.children.splice(this.floatingSplit.children.indexOf(popout), 1);
    for (const leaf of leaves) leaf.detach();
    this.trigger("window-close", popout, popout.win);
    setActiveWindow(window);
    this.changed();
  }
}
