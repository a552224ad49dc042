import type { EditorView } from "@codemirror/view";
import {
  type EditorHost,
  Emitter,
  type HostEvents,
  type PosixPath,
  type ShareLevel,
  toNativePath,
} from "@idewire/core";
import type { SessionId } from "@idewire/core/internal";
import { systemClock } from "@idewire/core/internal";
import { ExcludedFiles } from "@idewire/node-server/internal";
import { type App, getAllTags, Notice, type Plugin, type TFile } from "obsidian";
import { type Comments, createComments } from "./comments/index.ts";
import { agentName } from "./connection/agent-name.ts";
import { VaultConnection } from "./connection/vault-connection.ts";
import { FAILURE_MS, watchAgents } from "./connection/watch-agents.ts";
import { createDiagnostics } from "./diagnostics/index.ts";
import { VaultDocuments } from "./documents/vault-documents.ts";
import type { OpenWindow } from "./plugin-windows.ts";
import { ExcludedNotes } from "./privacy/excluded-notes.ts";
import {
  createExclusions,
  type Exclusion,
  type FindExclusion,
  isCertain,
} from "./privacy/exclusions.ts";
import { SharedLog } from "./privacy/last-shared.ts";
import { createSharePolicy, levelOf } from "./privacy/share.ts";
import { describeSharing, type SharingState } from "./privacy/sharing-state.ts";
import { toPattern } from "./privacy/to-pattern.ts";
import { TypedFacts } from "./privacy/typed-facts.ts";
import { UnparsableProperties } from "./privacy/unparsable-properties.ts";
import { createReviews, type Reviews } from "./review/index.ts";
import { createNoteOutlet } from "./review/note-outlet.ts";
import { readReviewSettings } from "./review/review-settings.ts";
import { SelectionMarks } from "./selection/selection-marks.ts";
import { SelectionTracker } from "./selection/selection-tracker.ts";
import { pathsOf } from "./selection/tracked-selection.ts";
import { SelectionWatch } from "./selection/watch-selection.ts";
import type { SettingsStore } from "./settings/settings-store.ts";
import { texts } from "./texts/index.ts";
import { createVaultHost } from "./vault-host.ts";
import { VaultLinks } from "./vault-links.ts";
import { platform, type VaultPaths } from "./vault-paths.ts";

export interface VaultIdeParts {
  readonly app: App;
  readonly plugin: Plugin;
  readonly paths: VaultPaths;
  readonly store: SettingsStore;
  readonly openWindow: OpenWindow;
}

/** The vault as an editor for agents, without a user interface. */
export class VaultIde {
  readonly events = new Emitter<HostEvents>();
  readonly documents: VaultDocuments;
  readonly tracker: SelectionTracker;
  readonly connection: VaultConnection;
  readonly findExclusion: FindExclusion;
  readonly reviews: Reviews;
  readonly comments: Comments;
  readonly shared = new SharedLog();
  readonly links: VaultLinks;
  readonly #parts: VaultIdeParts;
  readonly #watch: SelectionWatch;
  readonly #changes = new Emitter<{ change(): void }>();
  readonly #marks = new SelectionMarks();
  readonly #typed = new TypedFacts();
  readonly #unparsable: UnparsableProperties;
  readonly #excludedNotes: ExcludedNotes;
  /** Whether the active note is excluded from sharing. */
  #isHidden = false;

  constructor(parts: VaultIdeParts) {
    const { app, plugin, paths, store } = parts;
    this.#parts = parts;
    // Registered first and so undone last: pending reviews are answered before.
    plugin.register(() => void this.connection.close());
    const { vault, metadataCache } = app;
    this.#unparsable = new UnparsableProperties(vault, (file) => {
      this.#excludedNotes.lookAt(file);
      this.#noteChanged();
    });
    this.links = new VaultLinks({ vault, paths, onChange: () => this.#noteChanged() });
    const realPathOf = (vaultPath: string) => this.links.realPathOf(vaultPath);
    const typedIn = (vaultPath: string) => this.#typed.in(vaultPath);
    const mayExclude = (file: TFile) => this.#unparsable.mayExclude(file);
    const excluded = new ExcludedFiles({ folders: () => [paths.root], env: this.env });
    const isDenied = (path: PosixPath) => excluded.has(path);
    const sources = { vault, metadataCache, paths, typedIn, mayExclude, isDenied, realPathOf };
    this.findExclusion = createExclusions(
      sources,
      () => store.now,
      (cache) => getAllTags(cache) ?? [],
    );
    this.#excludedNotes = new ExcludedNotes({
      ...{ app, paths, findExclusion: this.findExclusion },
      onChange: () => this.connection.excludedChanged(),
    });
    this.tracker = new SelectionTracker(systemClock, () => this.#selectionChanged());
    const onChange = () => this.events.emit("documents");
    this.documents = new VaultDocuments({ app, paths, onChange });
    this.#watch = new SelectionWatch({
      app,
      plugin,
      tracker: this.tracker,
      isKnown: (view) => this.#isKnown(view),
    });
    this.reviews = createReviews({
      app,
      registrar: plugin,
      paths,
      openWindow: parts.openWindow,
      settings: readReviewSettings(store),
      agentName: ({ session }) => this.#agentName(session),
      shownText: (path) => this.documents.shownText(path),
      isUnsaved: (path) => this.documents.mayBeUnsaved(path),
      isExcluded: (path) => this.findExclusion(path) !== undefined,
      onWritten: (path) => this.events.emit("written", [path]),
      isKnownExcluded: (path) => isCertain(this.findExclusion(path)),
      comments: createNoteOutlet({
        files: () => this.comments.files,
        recipientsOf: (mention) => this.connection.recipientsOf(mention),
        open: (path) => this.comments.open(path),
        ...{ paths, events: this.events },
      }),
    });
    this.comments = createComments({
      ...parts,
      unsavedText: (path) =>
        this.documents.mayBeUnsaved(path) ? this.documents.shownText(path) : undefined,
      reveal: (path, range) => this.documents.reveal(path, { range }),
    });
    this.connection = new VaultConnection({
      host: this.comments.withSelectionComments(this.#createHost()),
      annotateDiagnostics: this.comments.annotateDiagnostics,
      share: createSharePolicy(store.now, this.findExclusion),
      known: () => this.links.known(),
      env: () => this.env,
      agents: () => store.now.agents,
      exclude: () => [
        ...store.now.excludedFolders.flatMap(toPattern),
        ...this.#excludedNotes.patterns,
      ],
      links: paths.openedAs === paths.root ? [] : [toNativePath(paths.openedAs, platform)],
      clock: systemClock,
    });
  }

  /** The current share level; off while paused. */
  get level(): ShareLevel {
    return levelOf(this.#parts.store.now);
  }

  /** The environment that determines where agents look for editors. */
  get env(): Readonly<Record<string, string | undefined>> {
    const { configDirectory } = this.#parts.store.now;
    if (configDirectory === "") return process.env;
    const home = process.env["HOME"] ?? process.env["USERPROFILE"] ?? "";
    return { ...process.env, CLAUDE_CONFIG_DIR: configDirectory.replace(/^~(?=[\\/]|$)/, home) };
  }

  /** Everything registered is removed when the plugin unloads. */
  register(): void {
    const { app, plugin, paths, store } = this.#parts;
    this.#watch.register();
    this.documents.register(plugin);
    plugin.register(() => this.tracker.close());
    plugin.register(store.on("change", () => this.#policyChanged()));
    plugin.register(
      store.on("change", (now, before) => {
        if (now.agents.join() !== before.agents.join()) void this.#agentsChanged();
      }),
    );
    this.#unparsable.register(plugin, app.metadataCache);
    this.#excludedNotes.register(plugin);
    this.#typed.register(plugin, app.metadataCache, () => this.#noteChanged());
    plugin.registerEvent(app.vault.on("rename", () => this.#noteChanged()));
    const { connection } = this;
    plugin.register(connection.on("change", () => this.#changed()));
    watchAgents({ connection, plugin, paths, shared: this.shared, reviews: this.reviews });
    plugin.registerEvent(
      app.workspace.on("quit", (tasks) => tasks.addPromise(this.connection.close())),
    );
    // A closing window does not wait for promises: closing has to work synchronously.
    plugin.registerDomEvent(window, "pagehide", () => void this.connection.close());
  }

  /** Reads the open tabs and starts to accept agents. */
  async start(): Promise<void> {
    this.links.watch(this.#parts.plugin);
    this.#excludedNotes.look();
    this.#watch.look();
    await this.connection.start();
    const { state } = this.connection;
    if (state.kind !== "failed") return;
    new Notice(texts.connection.failed(state.error.message), FAILURE_MS);
  }

  /** Saves a note with unsaved text, since agents read from disk. */
  async saveIfOpen(path: PosixPath): Promise<void> {
    const vaultPath = this.#parts.paths.toVault(path);
    const file = vaultPath && this.#parts.app.vault.getFileByPath(vaultPath);
    if (file && this.documents.isDirty(file)) await this.documents.save(path);
  }

  /** Before the vault is served there is nothing to change, such as while the settings are read. */
  async #agentsChanged(): Promise<void> {
    if (this.connection.state.kind !== "closed") await this.reconnect();
  }

  async reconnect(): Promise<void> {
    await this.connection.close();
    await this.connection.start();
  }

  /** Calls the listener when the status bar may have changed. */
  onChange(listener: () => void): () => void {
    return this.#changes.on("change", listener);
  }

  /** The content of the status bar: the connected agents and the shared state. */
  sharing(): SharingState {
    const { connection, tracker } = this;
    const { file, isPage, isSelected = false } = tracker.now ?? {};
    return describeSharing({
      isFailed: connection.state.kind === "failed",
      isElsewhere: connection.state.kind === "waiting",
      agents: connection.sessions.map(agentName),
      level: this.level,
      note: isPage ? file?.path : file?.path.replace(/^.*\//, "").replace(/\.md$/, ""),
      isSelected,
      exclusion: this.#exclusion,
    });
  }

  #createHost(): EditorHost {
    const { app, plugin, paths } = this.#parts;
    const { events, documents, reviews } = this;
    const diagnostics = createDiagnostics({
      app,
      plugin,
      paths,
      isExcluded: (vaultPath) => this.findExclusion(paths.toAbsolute(vaultPath)) !== undefined,
    });
    plugin.register(diagnostics.on((changed) => events.emit("diagnostics", changed)));
    return createVaultHost({
      version: plugin.manifest.version,
      vaultName: app.vault.getName(),
      paths,
      events,
      documents,
      workspace: app.workspace,
      tracker: this.tracker,
      isExcluded: (path) => this.findExclusion(path) !== undefined,
      reviews,
      diagnostics,
    });
  }

  #agentName(id: SessionId): string {
    const session = this.connection.sessions.find((each) => each.id === id);
    return agentName({ agent: session?.agent });
  }

  #isKnown(view: EditorView): boolean {
    const { now } = this.tracker;
    const { store } = this.#parts;
    if (now?.origin !== view || !now.isSelected || !store.now.markSelection) return false;
    if (this.connection.sessions.length === 0) return false;
    const isSent = this.level === "selection" || this.level === "all";
    return isSent && this.#exclusion === undefined;
  }

  #selectionChanged(): void {
    this.#isHidden = this.#exclusion !== undefined;
    this.events.emit("selection");
    this.#changed();
  }

  /** Tags or properties of the active note may now exclude it, or no longer do. */
  #noteChanged(): void {
    const isHidden = this.#exclusion !== undefined;
    if (isHidden === this.#isHidden) return;
    this.#isHidden = isHidden;
    this.events.emit("selection");
    this.#changed();
  }

  /** The reason why the active document is not shared; undefined if it may be. */
  get #exclusion(): Exclusion | undefined {
    const { now } = this.tracker;
    if (now === undefined) return undefined;
    const [first, ...around] = pathsOf(now, this.#parts.paths);
    const found = this.findExclusion(first);
    return around.reduce((known, path) => known ?? this.findExclusion(path), found);
  }

  #policyChanged(): void {
    this.#excludedNotes.look();
    this.connection.share = createSharePolicy(this.#parts.store.now, this.findExclusion);
    this.reviews.exclusionsChanged();
    this.#changed();
  }

  #changed(): void {
    this.#marks.show(this.tracker.now?.origin);
    this.#changes.emit("change");
  }
}
