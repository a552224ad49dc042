import {
  type Diagnostic,
  Emitter,
  type FileDiagnostics,
  type PosixPath,
  type Unsubscribe,
} from "@idewire/core";
import type { App } from "obsidian";
import type { VaultPaths } from "../vault-paths.ts";
import type { IndexWatch } from "./index-watch.ts";
import type { NoteChecker } from "./note-checker.ts";
import { readNote } from "./note-texts.ts";
import type { OpenEditors } from "./open-editors.ts";
import { openNotes } from "./open-notes.ts";

/** So long an answer waits for Obsidian to read what was written; agents wait for 500 ms. */
const CATCH_UP_MS = 300;

/** What was written so shortly before may not be known yet. */
const RECENT_MS = 3_000;

/** A pause in typing after which listeners are told. */
const QUIET_MS = 250;

/** So many notes that agents asked for are kept in mind. */
const MAX_ASKED = 200;

export interface VaultDiagnosticsParts {
  readonly app: Pick<App, "vault" | "workspace">;
  readonly paths: VaultPaths;
  readonly checker: NoteChecker;
  readonly editors: OpenEditors;
  readonly index: IndexWatch;
  /** Notes of which agents may know nothing. */
  readonly isExcluded: (vaultPath: string) => boolean;
}

interface NoteCheck {
  readonly diagnostics: readonly Diagnostic[];
  readonly mtimeMs: number;
  /** There is such a note, and agents may know of it. */
  readonly isKnown: boolean;
}

/** What is wrong with the notes that are open, and with those that agents asked for. */
export class VaultDiagnostics {
  readonly #parts: VaultDiagnosticsParts;
  readonly #events = new Emitter<{ changed(paths: readonly PosixPath[]): void }>();
  /** What listeners were told last, as JSON, by path in the vault. */
  readonly #sent = new Map<string, string>();
  readonly #asked = new Set<string>();
  readonly #dirty = new Set<string>();
  #isAllDirty = false;
  #timer: number | undefined;
  #isClosed = false;

  constructor(parts: VaultDiagnosticsParts) {
    this.#parts = parts;
  }

  /**
   * Of one note as it is now, or of all that are open or were asked for.
   * @throws ToolFailure for a path outside the vault
   */
  async of(path?: PosixPath): Promise<readonly FileDiagnostics[]> {
    if (path === undefined) return this.#ofWatched();
    const vaultPath = await this.#parts.paths.demandInside(path);
    this.#remember(vaultPath);
    const { diagnostics, isKnown } = await this.#fresh(vaultPath);
    if (!this.#sent.has(vaultPath)) this.#sent.set(vaultPath, JSON.stringify(diagnostics));
    else this.changed(vaultPath);
    // As of a note that is excluded: nobody learns by asking which of the two it is.
    return isKnown ? [{ path, diagnostics }] : [];
  }

  /** Only when a list is another one than before. */
  on(listener: (paths: readonly PosixPath[]) => void): Unsubscribe {
    return this.#events.on("changed", listener);
  }

  /** Something happened to a note, or to so many that all are looked at again. */
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
    return [...new Set([...openNotes(this.#parts.app.workspace), ...this.#asked])];
  }

  #remember(vaultPath: string): void {
    this.#asked.delete(vaultPath);
    this.#asked.add(vaultPath);
    const [oldest] = this.#asked;
    if (this.#asked.size > MAX_ASKED && oldest !== undefined) this.#asked.delete(oldest);
  }

  /** What was written just now may be known to Obsidian in a moment: links to it are not broken. */
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
      // One that cannot be read just now is looked at again when it changes.
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
