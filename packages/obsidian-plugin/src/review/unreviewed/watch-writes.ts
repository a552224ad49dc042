import { EditorView } from "@codemirror/view";
import { type App, editorInfoField, type TAbstractFile, TFile } from "obsidian";
import { isCommentsFile } from "../../comments/vault-comments.ts";
import type { Registrar } from "../context.ts";
import type { WriteRecorder } from "./write-recorder.ts";

/** The time after a key press during which a write counts as the app's own. */
const TYPED_MS = 10_000;
/** Obsidian reports changes late, and an agent may disconnect as soon as it has written. */
const GRACE_MS = 5_000;
/** The most notes whose texts are remembered, those changed last. */
const MAX_NOTES = 5_000;
/** Yields to the app after this many. */
const BATCH = 20;
/** The extensions of notes. */
const KINDS: ReadonlySet<string> = new Set(["md", "canvas", "base"]);

export interface WatchWritesParts {
  readonly app: App;
  readonly registrar: Registrar;
  readonly recorder: WriteRecorder;
}

/** Reports writes in the vault to a recorder while agents are connected. */
export class WriteWatcher {
  readonly #app: App;
  readonly #recorder: WriteRecorder;
  readonly #typedMs = new Map<string, number>();
  #names: readonly string[] = [];
  #leaving: number | undefined;

  constructor({ app, registrar, recorder }: WatchWritesParts) {
    this.#app = app;
    this.#recorder = recorder;
    const { vault, metadataCache } = app;
    registrar.registerEditorExtension(
      EditorView.updateListener.of(({ docChanged, transactions, state }) => {
        const isTyped = transactions.some((each) => TYPES.some((type) => each.isUserEvent(type)));
        const file = state.field(editorInfoField, false)?.file;
        if (docChanged && isTyped && file) this.#typedMs.set(file.path, Date.now());
      }),
    );
    registrar.registerEvent(vault.on("modify", (file) => this.#written(file)));
    registrar.registerEvent(vault.on("create", (file) => this.#written(file)));
    // Only now is it known whether the written properties exclude the note.
    registrar.registerEvent(metadataCache.on("changed", ({ path }) => recorder.settled(path)));
    registrar.registerEvent(
      vault.on("rename", ({ path }, oldPath) => recorder.renamed(oldPath, path)),
    );
    registrar.register(() => window.clearTimeout(this.#leaving));
  }

  /** The names of the agents that are connected, or were until a moment ago. */
  get agents(): readonly string[] {
    return this.#names;
  }

  isTyped(path: string): boolean {
    return Date.now() - (this.#typedMs.get(path) ?? 0) < TYPED_MS;
  }

  /** Other agents are connected now. */
  agentsChanged(names: readonly string[]): void {
    window.clearTimeout(this.#leaving);
    const isFirst = this.#names.length === 0 && names.length > 0;
    if (names.length > 0) this.#names = names;
    else this.#leaving = window.setTimeout(() => this.#forget(), GRACE_MS);
    if (isFirst) void this.#rememberAll();
  }

  #forget(): void {
    this.#names = [];
    this.#typedMs.clear();
    this.#recorder.forgetAll();
  }

  #written(file: TAbstractFile): void {
    if (this.#names.length === 0 || !(file instanceof TFile)) return;
    // The plugin writes these files itself, and shows comments of agents in its pane.
    if (isCommentsFile(file.path)) return;
    this.#recorder.written(file.path);
    if (file.extension !== "md") this.#recorder.settled(file.path);
  }

  async #remember({ path, stat: { mtime } }: TFile): Promise<void> {
    await this.#recorder.remember(path, async () => {
      const found = await this.#app.vault.adapter.stat(path);
      // One of the two may be rounded.
      return found !== null && Math.abs(found.mtime - mtime) <= 1;
    });
  }

  async #rememberAll(): Promise<void> {
    const files = this.#app.vault.getFiles().filter(({ extension }) => KINDS.has(extension));
    const newest = files.sort((a, b) => b.stat.mtime - a.stat.mtime).slice(0, MAX_NOTES);
    for (const [index, file] of newest.entries()) {
      if (this.#names.length === 0 || this.#recorder.known.isFull) return;
      await this.#remember(file);
      if (index % BATCH === 0) await new Promise((resolve) => void window.setTimeout(resolve));
    }
  }
}

/** CodeMirror's user events for edits by the person. */
const TYPES = ["input", "delete", "move", "undo", "redo"];
