import { FileSystemAdapter, Notice, Plugin } from "obsidian";
import { createWindows } from "./plugin-windows.ts";
import { keepAside } from "./settings/keep-aside.ts";
import { SettingsStore } from "./settings/settings-store.ts";
import { texts } from "./texts/index.ts";
import { VaultFrontend } from "./vault-frontend.ts";
import { VaultIde } from "./vault-ide.ts";
import { createVaultPaths } from "./vault-paths.ts";
import { whenLayoutReady } from "./when-layout-ready.ts";

/** Composes the parts, which register everything with Obsidian, to be removed on unload. */
export default class IdewirePlugin extends Plugin {
  readonly #store = new SettingsStore({
    loadData: () => this.loadData() as Promise<unknown>,
    saveData: (data) => this.saveData(data),
    keepAside: () => keepAside(this.#settingsPath()),
  });

  override async onload(): Promise<void> {
    const { adapter } = this.app.vault;
    if (!(adapter instanceof FileSystemAdapter)) {
      new Notice(texts.connection.unsupported);
      return;
    }
    this.register(
      this.#store.on("unreadable", (kept) => {
        const file = kept ?? this.#settingsPath();
        new Notice(texts.settings.unreadable(file), 0);
      }),
    );
    const [paths] = await Promise.all([
      createVaultPaths(adapter.getBasePath()),
      this.#store.load(),
    ]);
    const emitUnsaved = ({ message }: Error) => void new Notice(texts.settings.unsaved(message));
    this.register(this.#store.on("unsaved", emitUnsaved));
    const openWindow = createWindows(this);
    const parts = { app: this.app, plugin: this, paths, store: this.#store, openWindow };
    const ide = new VaultIde(parts);
    const frontend = new VaultFrontend({ ...parts, ide });
    ide.register();
    frontend.register();
    whenLayoutReady(this, () => void ide.start().then(() => frontend.showFirstSteps()));
  }

  /** Native path of the file that `loadData` reads. */
  #settingsPath(): string {
    const { adapter, configDir } = this.app.vault;
    const folder = this.manifest.dir ?? `${configDir}/plugins/${this.manifest.id}`;
    const path = `${folder}/data.json`;
    return adapter instanceof FileSystemAdapter ? adapter.getFullPath(path) : path;
  }

  /** The settings were changed on another device and synchronised. */
  override async onExternalSettingsChange(): Promise<void> {
    await this.#store.load();
  }
}
