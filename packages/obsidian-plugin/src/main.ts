import { Emitter, type HostEvents, isSecretPath, type SessionId } from "@idewire/core";
import { type IdeListener, listenIde } from "@idewire/node-server";
import { FileSystemAdapter, getLanguage, Notice, Plugin } from "obsidian";
import { createDiagnostics, type Diagnostics } from "./diagnostics/index.ts";
import { createNoteFormatter } from "./format/note-formatter.ts";
import { createReviews, type Reviews } from "./review/index.ts";
import { localReviewSettings } from "./review/local-settings.ts";
import { createTexts } from "./texts/index.ts";
import { createVaultHost } from "./vault-host.ts";
import { createVaultPaths, type VaultPaths } from "./vault-paths.ts";

/** Lifecycle only: it composes the parts, and takes them down. */
export default class IdewirePlugin extends Plugin {
  readonly #texts = createTexts(getLanguage());
  #listener: Promise<IdeListener> | undefined;
  #listening: IdeListener | undefined;

  override onload(): void {
    this.app.workspace.onLayoutReady(() => void this.#start());
    this.register(() => void this.#listener?.then((listener) => listener.close()));
  }

  async #start(): Promise<void> {
    const { vault } = this.app;
    if (!(vault.adapter instanceof FileSystemAdapter)) return;
    const paths = createVaultPaths(vault.adapter.getBasePath());
    const events = new Emitter<HostEvents>();
    const diagnostics = this.#createDiagnostics(paths);
    this.register(diagnostics.on((changed) => events.emit("diagnostics", changed)));
    const host = createVaultHost({
      version: this.manifest.version,
      vaultName: vault.getName(),
      paths,
      events,
      reviews: this.#createReviews(paths),
      diagnostics,
      format: createNoteFormatter({ app: this.app, paths }),
    });
    try {
      this.#listener = listenIde({ host });
      this.#listening = await this.#listener;
    } catch (error) {
      this.#listener = undefined;
      new Notice(this.#texts("connection.failed", { reason: (error as Error).message }));
    }
  }

  #createReviews(paths: VaultPaths): Reviews {
    return createReviews({
      app: this.app,
      registrar: this,
      paths,
      texts: this.#texts,
      settings: localReviewSettings(this.app),
      agentName: ({ session }) => this.#agentName(session),
      isExcluded: () => false,
    });
  }

  #createDiagnostics(paths: VaultPaths): Diagnostics {
    return createDiagnostics({
      app: this.app,
      plugin: this,
      paths,
      texts: this.#texts,
      isExcluded: (vaultPath) => isSecretPath(paths.toAbsolute(vaultPath)),
    });
  }

  #agentName(id: SessionId): string {
    const sessions = [...(this.#listening?.sessions ?? [])];
    const { agent } = sessions.find((session) => session.id === id) ?? {};
    return agent?.title ?? agent?.name ?? "Agent";
  }
}
