import type { Diagnostic, FileDiagnostics, PosixPath, Unsubscribe } from "@idewire/core";
import { Emitter } from "@idewire/core";
import type { App } from "obsidian";
import type { VaultPaths } from "../vault-paths.ts";
import type { IndexWatch } from "./index-watch.ts";
import type { NoteChecker } from "./note-checker.ts";
import { readNote } from "./note-texts.ts";
import type { OpenEditors } from "./open-editors.ts";
import { openNotes } from "./open-notes.ts";

/** How long an answer waits for Obsidian to index a note; agents give up after 500 ms. */
const CATCH_UP_MS = 300;

/** A file written more recently may not be indexed yet. */
const RECENT_MS = 3_000;

/** Listeners are called after a pause of this length in typing. */
const QUIET_MS = 250;

/** Number of notes requested by agents that are watched. */
const MAX_REQUESTED = 200;

export interface VaultDiagnosticsParts {
  readonly app: Pick<App, "vault" | "workspace">;
  readonly paths: VaultPaths;
  readonly checker: NoteChecker;
  readonly editors: OpenEditors;
  readonly index: IndexWatch;
  /** Whether a note is never shared. */
  readonly isExcluded: (vaultPath: string) => boolean;
}

interface NoteCheck {
  readonly diagnostics: readonly Diagnostic[];
  readonly mtimeMs: number;
  /** Whether the note exists and may be shared. */
  readonly isKnown: boolean;
}

/** Diagnostics of the open notes and of those that agents have requested. */
export class VaultDiagnostics {
  readonly #parts: VaultDiagnosticsParts;
  readonly #events = new Emitter<{ changed(paths: readonly PosixPath[]): void }>();
  /** The diagnostics last reported, as JSON, by path in the vault. */
  readonly #sent = new Map<string, string>();
  readonly #requested = new Set<string>();
  readonly #dirty = new Set<string>();
  #isAllDirty = false;
  #timer: number | undefined;
  #isClosed = false;

  constructor(parts: VaultDiagnosticsParts) {
    this.#parts = parts;
  }

  /**
   * Diagnostics of one note as it is now, or of all that are open or were requested.
   * @throws ToolFailure for a path outside the vault
   */
  async of(path?: PosixPath): Promise<readonly FileDiagnostics[]> {
    if (path === undefined) return this.#ofWatched();
    const vaultPath = await this.#parts.paths.demandInside(path);
    this.#addRequested(vaultPath);
    const { diagnostics, isKnown } = await this.#fresh(vaultPath);
    if (!this.#sent.has(vaultPath)) this.#sent.set(vaultPath, JSON.stringify(diagnostics));
    else this.changed(vaultPath);
    // A missing note and an excluded one give the same answer.
    return isKnown ? [{ path, diagnostics }] : [];
  }

  /** Calls the listener only if diagnostics have changed. */
  on(listener: (paths: readonly PosixPath[]) => void): Unsubscribe {
    return this.#events.on("changed", listener);
  }

  /** A note has changed; undefined if any may have. */
  changed(vaultPath?: string): void {
    if (vaultPath === undefined) this.#isAllDirty = true;
    else this.#dirty.add(vaultPath);
    if (this.#isClosed || !this.#events.has("changed")) return;
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.#emit(), QUIET_MS);
  }

  close(): void {
    this.#isClosed = true;
    window.clearTimeout(this.#timer);
  }

  async #ofWatched(): Promise<readonly FileDiagnostics[]> {
    const { isExcluded, paths } = this.#parts;
    const files = await Promise.all(
      this.#watched().map(async (vaultPath) => {
        const { diagnostics, isKnown } = await this.#fresh(vaultPath);
        return { vaultPath, path: paths.toAbsolute(vaultPath), diagnostics, isKnown };
      }),
    );
    return files
      .filter(({ vaultPath, isKnown }) => isKnown && !isExcluded(vaultPath))
      .map(({ path, diagnostics }) => ({ path, diagnostics }));
  }

  #watched(): readonly string[] {
    return [...new Set([...openNotes(this.#parts.app.workspace), ...this.#requested])];
  }

  #addRequested(vaultPath: string): void {
    this.#requested.delete(vaultPath);
    this.#requested.add(vaultPath);
    const [oldest] = this.#requested;
    if (this.#requested.size > MAX_REQUESTED && oldest !== undefined)
      this.#requested.delete(oldest);
  }

  /** Links to a file written just now look broken until Obsidian has indexed it: wait for that. */
  async #fresh(vaultPath: string): Promise<NoteCheck> {
    const checked = await this.#check(vaultPath);
    const { diagnostics, mtimeMs } = checked;
    const isBehind = this.#parts.index.isBehind(vaultPath);
    const isSure = diagnostics.length === 0 || Date.now() - mtimeMs > RECENT_MS;
    if (isSure && !isBehind) return checked;
    await this.#parts.index.caughtUp(vaultPath, mtimeMs, CATCH_UP_MS);
    return this.#check(vaultPath);
  }

  async #check(vaultPath: string): Promise<NoteCheck> {
    const { app, checker, editors, isExcluded, paths } = this.#parts;
    const nothing = { diagnostics: [], mtimeMs: 0, isKnown: false };
    if (!/\.md$/i.test(vaultPath) || isExcluded(vaultPath)) return nothing;
    const note = await readNote({ vault: app.vault, paths, editors }, vaultPath);
    if (note === undefined) return nothing;
    const diagnostics = checker.check(vaultPath, note);
    return { diagnostics, mtimeMs: note.mtimeMs, isKnown: true };
  }

  async #emit(): Promise<void> {
    const watched = this.#watched();
    const due = this.#isAllDirty ? watched : watched.filter((path) => this.#dirty.has(path));
    this.#isAllDirty = false;
    this.#dirty.clear();
    const changed: PosixPath[] = [];
    for (const vaultPath of due) {
      // A note that cannot be read now is checked again when it changes.
      const found = await this.#check(vaultPath).catch(() => undefined);
      const list = JSON.stringify(found?.diagnostics ?? []);
      if (list === (this.#sent.get(vaultPath) ?? "[]")) continue;
      this.#sent.set(vaultPath, list);
      changed.push(this.#parts.paths.toAbsolute(vaultPath));
    }
    for (const path of this.#sent.keys()) if (!watched.includes(path)) this.#sent.delete(path);
    if (changed.length > 0 && !this.#isClosed) this.#events.emit("changed", changed);
  }
}
