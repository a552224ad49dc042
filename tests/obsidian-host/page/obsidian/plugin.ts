import type { Extension } from "@codemirror/state";
import type { Command, Hotkey, PluginManifest } from "obsidian";
import type { App as BareApp, ViewCreator } from "../host-app.ts";
import { addProcessor, type PostProcessor, removeProcessor } from "../render/processors.ts";
import type { SettingTab } from "../ui/setting-tab.ts";
import { Component } from "./component.ts";
import type { CliFlags, Registries } from "./registries.ts";

export interface PluginApp extends BareApp {
  readonly registries: Registries;
}

export abstract class Plugin extends Component {
  app: PluginApp;
  manifest: PluginManifest;
  settings?: unknown;

  constructor(app: PluginApp, manifest: PluginManifest) {
    super();
    this.app = app;
    this.manifest = manifest;
  }

  addStatusBarItem(): HTMLElement {
    const el = this.app.registries.statusBarEl.createDiv(
      `status-bar-item plugin-${this.manifest.id}`,
    );
    this.register(() => el.remove());
    return el;
  }

  addCommand(command: Command): Command {
    command.id = `${this.manifest.id}:${command.id}`;
    command.name = `${this.manifest.name}: ${command.name}`;
    const { commands } = this.app.registries;
    commands.set(command.id, command as Command & { hotkeys?: Hotkey[] });
    this.register(() => commands.delete(command.id));
    return command;
  }

  addSettingTab(tab: SettingTab): void {
    const { settingsWindow } = this.app.registries;
    settingsWindow.addTab(tab);
    this.register(() => settingsWindow.removeTab(tab));
  }

  registerView(type: string, creator: ViewCreator): void {
    const { registries, workspace } = this.app;
    registries.addView(type, creator);
    this.register(() => {
      registries.removeView(type);
      for (const leaf of workspace.getLeavesOfType(type)) void leaf.disown();
    });
    for (const leaf of workspace.getLeavesOfType(type)) {
      if (leaf.isDeferred && leaf.isShown) void leaf.setViewState(leaf.getViewState());
    }
  }

  registerMarkdownPostProcessor(processor: PostProcessor, sortOrder?: number): PostProcessor {
    addProcessor(processor, sortOrder);
    this.register(() => removeProcessor(processor));
    return processor;
  }

  registerEditorExtension(extension: Extension): void {
    const { editorExtensions, workspace } = this.app;
    editorExtensions.push(extension);
    workspace.updateOptions();
    this.register(() => {
      editorExtensions.splice(editorExtensions.indexOf(extension), 1);
      workspace.updateOptions();
    });
  }

  registerObsidianProtocolHandler(action: string, handler: (params: never) => unknown): void {
    const { protocolHandlers } = this.app.registries;
    if (protocolHandlers.has(action)) throw new Error(`obsidian://${action} is handled already`);
    protocolHandlers.set(action, handler as (params: Record<string, string>) => unknown);
    this.register(() => protocolHandlers.delete(action));
  }

  registerCliHandler(
    command: string,
    description: string,
    flags: CliFlags | null,
    handler: (params: Record<string, string>) => string | Promise<string>,
  ): void {
    const { cliHandlers } = this.app.registries;
    cliHandlers.set(command, { description, flags, handler });
    this.register(() => cliHandlers.delete(command));
  }

  get #dataPath(): string {
    return `${this.app.vault.configDir}/plugins/${this.manifest.id}/data.json`;
  }

  async loadData(): Promise<unknown> {
    const { adapter } = this.app.vault;
    if (!(await adapter.exists(this.#dataPath))) return null;
    return JSON.parse(await adapter.read(this.#dataPath));
  }

  async saveData(data: unknown): Promise<void> {
    await this.app.vault.adapter.write(this.#dataPath, JSON.stringify(data, null, 2));
  }
}
