import type { Theme } from "../wire.ts";
import { channel } from "./bridge/channel.ts";
import { countHoldings, type Holdings } from "./leaks.ts";
import { nodeProcess } from "./node/process.ts";
import type { App } from "./obsidian/app.ts";
import { Tasks } from "./obsidian/misc.ts";
import type { StartTimes } from "./obsidian/plugins.ts";
import { clearScreen } from "./ui/clear-screen.ts";
import { notices } from "./ui/notice.ts";
import { TFile } from "./vault/files.ts";
import { MarkdownView } from "./view/markdown-view.ts";
import type { WorkspaceLeaf } from "./workspace/leaf.ts";

type Mode = "source" | "live" | "reading";
export type Where = "here" | "tab" | "split";

export interface OpenOptions {
  readonly where?: Where | undefined;
  readonly mode?: Mode | undefined;
}

/** What the harness does in the page; every argument and answer is plain data. */
export class HostDriver {
  readonly app: App;
  readonly errors: string[] = [];

  constructor(app: App) {
    this.app = app;
    window.addEventListener("error", ({ message, error }) => {
      this.errors.push((error as Error | undefined)?.stack ?? message);
    });
    window.addEventListener("unhandledrejection", ({ reason }) => {
      this.errors.push((reason as Error | undefined)?.stack ?? String(reason));
    });
  }

  /** Opens the vault without any plugin. */
  async prepare(): Promise<void> {
    await channel.ready();
    const { vault } = this.app;
    const options = `${vault.configDir}/app.json`;
    if (await vault.adapter.exists(options)) {
      const values = JSON.parse(await vault.adapter.read(options)) as Record<string, unknown>;
      for (const [key, value] of Object.entries(values)) vault.setConfig(key, value);
    }
    await this.app.start();
  }

  /**
   * Starts the plugins, then reports that the layout is ready, as Obsidian does.
   * @returns how long the plugins delayed this, without the time for reading their files
   */
  async launch(plugins: readonly string[]): Promise<{ readonly readyMs: number }> {
    let readyMs = 0;
    for (const id of plugins) {
      await this.app.plugins.enablePlugin(id);
      readyMs += this.times(id)?.loadMs ?? 0;
    }
    const started = performance.now();
    this.app.workspace.becomeReady();
    return { readyMs: readyMs + performance.now() - started };
  }

  times(id: string): StartTimes | undefined {
    return this.app.plugins.times[id];
  }

  async open(path: string, { where = "here", mode }: OpenOptions = {}): Promise<void> {
    const file = this.app.vault.getFileByPath(path);
    if (file === null) throw new Error(`There is no ${path} in the vault`);
    const leaf = this.app.workspace.getLeaf(where === "here" ? false : where);
    await leaf.openFile(file);
    this.app.workspace.setActiveLeaf(leaf, { focus: true });
    if (mode !== undefined) await this.mode(mode);
  }

  async mode(mode: Mode): Promise<void> {
    const { leaf, state } = this.#markdown();
    const next = {
      ...state,
      mode: mode === "reading" ? "preview" : "source",
      source: mode === "source",
    };
    await leaf.setViewState({ type: "markdown", state: next, active: true });
    this.app.workspace.trigger("layout-change");
  }

  /** Selects in the active editor as a command would; positions count from 0. */
  select(from: [number, number], to: [number, number] = from): void {
    const { editor } = this.#markdown().view;
    const [anchor, head] = [from, to].map(([line = 0, ch = 0]) => ({ line, ch }));
    if (anchor !== undefined) editor.setSelection(anchor, head);
    editor.focus();
  }

  text(): string {
    return this.#markdown().view.getViewData();
  }

  async popout(): Promise<void> {
    const { activeLeaf } = this.app.workspace;
    if (activeLeaf !== null) this.app.workspace.moveLeafToPopout(activeLeaf);
  }

  /** Replaces the views of a file by placeholders, as Obsidian does in background tabs. */
  async defer(path: string): Promise<void> {
    for (const leaf of this.#leavesOf(path)) await leaf.defer();
  }

  /** Where some words of the active leaf are in their window. */
  rectOf(text: string, occurrence = 0): { x: number; y: number; width: number; height: number } {
    const leaf = this.app.workspace.activeLeaf;
    if (leaf === null) throw new Error("No leaf is active");
    const { doc } = leaf.containerEl;
    const walker = doc.createTreeWalker(leaf.view.containerEl, NodeFilter.SHOW_TEXT);
    let left = occurrence;
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const at = (node.nodeValue ?? "").indexOf(text);
      if (at < 0 || node.parentElement?.checkVisibility() !== true) continue;
      if (left > 0) left -= 1;
      else {
        const range = doc.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + text.length);
        const { x, y, width, height } = range.getBoundingClientRect();
        return { x, y, width, height };
      }
    }
    throw new Error(
      `The active leaf does not show ${JSON.stringify(text)} ${occurrence + 1} times`,
    );
  }

  /** Which window the active leaf is in: 0 is the main one. */
  activeWindowIndex(): number {
    const { floatingSplit, activeLeaf } = this.app.workspace;
    return activeLeaf === null ? 0 : floatingSplit.children.indexOf(activeLeaf.getContainer()) + 1;
  }

  openTabs(): string[] {
    const found: string[] = [];
    this.app.workspace.iterateRootLeaves((leaf) => found.push(leaf.getDisplayText()));
    return found;
  }

  commands(): string[] {
    return [...this.app.registries.commands.keys()];
  }

  run(id: string): boolean {
    return this.app.runCommand(id);
  }

  canRun(id: string): boolean {
    return this.app.canRun(id);
  }

  setHotkey(id: string, modifiers: ("Mod" | "Shift" | "Alt")[], key: string): void {
    const command = this.app.registries.commands.get(id);
    if (command !== undefined) command.hotkeys = [{ modifiers, key }];
  }

  async cli(command: string, params: Record<string, string>): Promise<string> {
    const entry = this.app.registries.cliHandlers.get(command);
    if (entry === undefined) throw new Error(`There is no command ${command}`);
    return entry.handler(params);
  }

  async protocol(action: string, params: Record<string, string>): Promise<void> {
    const handler = this.app.registries.protocolHandlers.get(action);
    if (handler === undefined) throw new Error(`Nobody handles obsidian://${action}`);
    await handler({ action, ...params });
  }

  openSettings(id: string): void {
    this.app.setting.open();
    this.app.setting.openTabById(id);
  }

  closeSettings(): void {
    this.app.setting.close();
  }

  notices(): string[] {
    return [...notices];
  }

  holdings(): Holdings {
    return countHoldings(this.app);
  }

  async disable(id: string): Promise<void> {
    await this.app.plugins.disablePlugin(id);
  }

  async enable(id: string): Promise<void> {
    await this.app.plugins.enablePlugin(id);
  }

  /**
   * The person closes the window: `quit` is emitted, and the process ends without waiting. Cleanup must
   * finish within this turn.
   * @returns which of the given files still exist at the end of the turn
   */
  quit(files: readonly string[]): string[] {
    const tasks = new Tasks();
    this.app.workspace.trigger("quit", tasks);
    nodeProcess.emit("exit", 0);
    return files.filter((file) => channel.callSync("fsSync", "existsSync", file));
  }

  async saveLayout(): Promise<void> {
    await this.app.workspace.saveLayout();
  }

  /** Saves everything that was typed, as Obsidian does after a delay. */
  async saveAll(): Promise<void> {
    const views: MarkdownView[] = [];
    this.app.workspace.iterateAllLeaves(
      ({ view }) => view instanceof MarkdownView && views.push(view),
    );
    for (const view of views) await view.save();
  }

  /** @returns the errors thrown since the last call */
  async tidy(): Promise<string[]> {
    await this.saveAll();
    clearScreen(this.app);
    return this.errors.splice(0);
  }

  theme(theme: Theme): void {
    const windows = [document, ...this.app.workspace.popouts().map(({ doc }) => doc)];
    for (const { body } of windows) {
      body.toggleClass("theme-light", theme === "light");
      body.toggleClass("theme-dark", theme !== "light");
      body.toggleClass("high-contrast", theme === "contrast");
    }
    this.app.workspace.trigger("css-change");
  }

  #markdown(): { leaf: WorkspaceLeaf; view: MarkdownView; state: Record<string, unknown> } {
    const view = this.app.workspace.getActiveViewOfType(MarkdownView);
    if (view === null) throw new Error("No note is active");
    return { leaf: view.leaf, view, state: view.getState() };
  }

  #leavesOf(path: string): WorkspaceLeaf[] {
    const file = this.app.vault.getAbstractFileByPath(path);
    if (!(file instanceof TFile)) throw new Error(`There is no ${path} in the vault`);
    const found: WorkspaceLeaf[] = [];
    this.app.workspace.iterateAllLeaves((leaf) => {
      if (leaf.getViewState().state?.["file"] === path) found.push(leaf);
    });
    return found;
  }
}
