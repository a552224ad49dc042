import { Emitter, type HostEvents } from "@idewire/core";
import { type IdeListener, listenIde } from "@idewire/node-server";
import { FileSystemAdapter, getLanguage, Notice, Plugin } from "obsidian";
import { createTexts } from "./texts/index.ts";
import { createVaultHost } from "./vault-host.ts";
import { createVaultPaths } from "./vault-paths.ts";

/** Lifecycle only: it composes the parts, and takes them down. */
export default class IdewirePlugin extends Plugin {
  readonly #texts = createTexts(getLanguage());
  #listener: Promise<IdeListener> | undefined;

  override onload(): void {
    this.app.workspace.onLayoutReady(() => void this.#start());
    this.register(() => void this.#listener?.then((listener) => listener.close()));
  }

  async #start(): Promise<void> {
    const { vault } = this.app;
    if (!(vault.adapter instanceof FileSystemAdapter)) return;
    const host = createVaultHost({
      version: this.manifest.version,
      vaultName: vault.getName(),
      paths: createVaultPaths(vault.adapter.getBasePath()),
      events: new Emitter<HostEvents>(),
    });
    try {
      this.#listener = listenIde({ host });
      await this.#listener;
    } catch (error) {
      this.#listener = undefined;
      new Notice(this.#texts("connection.failed", { reason: (error as Error).message }));
    }
  }
}
