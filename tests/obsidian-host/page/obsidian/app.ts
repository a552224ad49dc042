import type { Extension } from "@codemirror/state";
import type { Command } from "obsidian";
import type { App as AppShape } from "../host-app.ts";
import { MetadataCache } from "../metadata/cache.ts";
import { Keymap, matches, Scope } from "../ui/keymap.ts";
import { SettingsWindow } from "../ui/settings-window.ts";
import { FileManager } from "../vault/file-manager.ts";
import { Vault } from "../vault/vault.ts";
import { CanvasView, PdfView } from "../view/canvas-view.ts";
import { FileExplorerView } from "../view/explorer.ts";
import { MarkdownView } from "../view/markdown-view.ts";
import { EmptyView, OtherFileView } from "../view/other-views.ts";
import { WebView } from "../view/web-view.ts";
import { setActiveWindow } from "../workspace/active.ts";
import type { Layout } from "../workspace/layout.ts";
import { Workspace } from "../workspace/workspace.ts";
import { Events } from "./events.ts";
import { Plugins } from "./plugins.ts";
import { Registries } from "./registries.ts";

export class SecretStorage extends Events {}

/** The app with one vault. */
export class App implements AppShape {
  readonly scope: Scope = new Scope();
  readonly keymap: Keymap = new Keymap();
  readonly vault: Vault = new Vault();
  readonly metadataCache: MetadataCache = new MetadataCache(this.vault);
  readonly fileManager: FileManager = new FileManager(this);
  readonly editorExtensions: Extension[] = [];
  readonly setting: SettingsWindow = new SettingsWindow(this);
  readonly registries: Registries = new Registries(this.setting);
  readonly viewRegistry: Registries = this.registries;
  readonly workspace: Workspace;
  readonly secretStorage: SecretStorage = new SecretStorage();
  readonly plugins: Plugins = new Plugins(this);
  readonly renderContext: object = { hoverPopover: null };
  lastEvent: Event | null = null;
  /** Not declared: where plugins look up other plugins' commands. */
  readonly commands: object;

  constructor() {
    setActiveWindow(window);
    this.#registerViews();
    this.workspace = new Workspace(this);
    const { commands } = this.registries;
    this.commands = {
      get commands() {
        return Object.fromEntries(commands);
      },
      executeCommandById: (id: string) => this.runCommand(id),
    };
    window.addEventListener("keydown", (event) => this.#pressed(event));
    window.addEventListener("focus", () => setActiveWindow(window));
    window.addEventListener("resize", () => this.workspace.trigger("resize"));
  }

  loadLocalStorage(key: string): unknown {
    const text = localStorage.getItem(`${this.vault.getName()}-${key}`);
    return text === null ? null : JSON.parse(text);
  }

  saveLocalStorage(key: string, data: unknown): void {
    const name = `${this.vault.getName()}-${key}`;
    if (data === null || data === undefined) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(data));
  }

  /** Renders the window, then opens the vault and the tabs that were open in it. */
  async start(): Promise<void> {
    const box = document.body.createDiv("app-container");
    box.createDiv("horizontal-main-container").append(this.workspace.containerEl);
    box.append(this.registries.statusBarEl);
    await this.vault.load();
    const notes = this.metadataCache.load();
    const layout = await this.#savedLayout();
    if (layout === undefined) {
      this.workspace.createLeafInParent(this.workspace.rootSplit, 0);
    } else await this.workspace.changeLayout(layout);
    await this.workspace.ensureSideLeaf("file-explorer", "left", { reveal: false });
    await notes;
  }

  /** @returns whether the command exists and may run now */
  runCommand(id: string): boolean {
    const command = this.registries.commands.get(id);
    return command !== undefined && run(command, this.workspace.activeEditor, false);
  }

  canRun(id: string): boolean {
    const command = this.registries.commands.get(id);
    return command !== undefined && run(command, this.workspace.activeEditor, true);
  }

  async #savedLayout(): Promise<Layout | undefined> {
    const path = `${this.vault.configDir}/workspace.json`;
    if (!(await this.vault.adapter.exists(path))) return undefined;
    return JSON.parse(await this.vault.adapter.read(path)) as Layout;
  }

  #registerViews(): void {
    this.registries.addView("empty", (leaf) => new EmptyView(leaf));
    this.registries.addView("markdown", (leaf) => new MarkdownView(leaf));
    this.registries.addView("file-explorer", (leaf) => new FileExplorerView(leaf));
    this.registries.addView("canvas", (leaf) => new CanvasView(leaf));
    this.registries.addView("pdf", (leaf) => new PdfView(leaf));
    this.registries.addView("webviewer", (leaf) => new WebView(leaf));
    for (const type of ["image", "unsupported"]) {
      this.registries.addView(type, (leaf) => new OtherFileView(leaf, type));
    }
  }

  #pressed(event: KeyboardEvent): void {
    this.lastEvent = event;
    const scope =
      this.keymap.top ?? (this.workspace.activeLeaf?.view.scope as Scope | null) ?? this.scope;
    if (scope.handle(event)) return;
    for (const command of this.registries.commands.values()) {
      if (!command.hotkeys?.some((hotkey) => matches(hotkey, event))) continue;
      event.preventDefault();
      run(command, this.workspace.activeEditor, false);
    }
  }
}

function run(command: Command, view: MarkdownView | null, checking: boolean): boolean {
  const { callback, checkCallback, editorCallback, editorCheckCallback } = command;
  const editor = view?.editor as never;
  if (editorCheckCallback !== undefined) {
    return view !== null && editorCheckCallback(checking, editor, view as never) !== false;
  }
  if (editorCallback !== undefined) {
    if (view === null) return false;
    if (!checking) void editorCallback(editor, view as never);
    return true;
  }
  if (checkCallback !== undefined) {
    // As Obsidian does: checks first, and runs only commands that are available.
    if (checkCallback(true) !== true) return false;
    if (!checking) checkCallback(false);
    return true;
  }
  if (!checking) callback?.();
  return callback !== undefined;
}
