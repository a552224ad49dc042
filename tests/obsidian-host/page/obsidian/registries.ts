import type { Command } from "obsidian";
import type { ViewCreator, ViewRegistry } from "../host-app.ts";
import type { SettingsWindow } from "../ui/settings-window.ts";

export type CliFlags = Readonly<
  Record<
    string,
    { readonly value?: string; readonly description: string; readonly required?: boolean }
  >
>;

export interface CliEntry {
  readonly description: string;
  readonly flags: CliFlags | null;
  readonly handler: (params: Record<string, string>) => string | Promise<string>;
}

/** What plugins have added to the app; each addition is removed when its plugin is unloaded. */
export class Registries implements ViewRegistry {
  readonly commands: Map<string, Command> = new Map();
  readonly extensions: Map<string, string> = new Map([
    ["md", "markdown"],
    ["canvas", "canvas"],
    ["pdf", "pdf"],
    ...["png", "jpg", "jpeg", "gif", "svg", "webp"].map((name) => [name, "image"] as const),
  ]);
  readonly protocolHandlers: Map<string, (params: Record<string, string>) => unknown> = new Map();
  readonly cliHandlers: Map<string, CliEntry> = new Map();
  readonly statusBarEl: HTMLElement = createDiv("status-bar");
  readonly settingsWindow: SettingsWindow;
  readonly #views = new Map<string, ViewCreator>();

  constructor(settingsWindow: SettingsWindow) {
    this.settingsWindow = settingsWindow;
  }

  addView(type: string, creator: ViewCreator): void {
    if (this.#views.has(type))
      throw new Error(`Attempting to register an existing view type "${type}"`);
    this.#views.set(type, creator);
  }

  removeView(type: string): void {
    this.#views.delete(type);
  }

  get viewTypes(): string[] {
    return [...this.#views.keys()];
  }

  creatorOf(type: string): ViewCreator | undefined {
    return this.#views.get(type);
  }

  typeOf(extension: string): string | undefined {
    return this.extensions.get(extension);
  }
}
