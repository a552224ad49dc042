import type { Diagnostic } from "@idewire/core";
import type { App } from "obsidian";
import type { IndexWatch } from "./index-watch.ts";
import type { NoteChecker } from "./note-checker.ts";
import type { OpenEditors } from "./open-editors.ts";
import {
  createReport,
  type InTurn,
  type ReportOptions,
  type ReportWatch,
  type VaultReport,
} from "./vault-report.ts";

export interface VaultCheckParts {
  readonly app: Pick<App, "vault">;
  readonly checker: NoteChecker;
  readonly editors: OpenEditors;
  readonly index: Pick<IndexWatch, "isBehind">;
  /** Whether a note is never shared. */
  readonly isExcluded: (vaultPath: string) => boolean;
}

interface CheckedFile {
  readonly mtime: number;
  /** The targets of its links. */
  readonly targets: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Checks all notes of a vault; the next run checks only notes affected by changes. */
export class VaultCheck {
  readonly #parts: VaultCheckParts;
  readonly #checked = new Map<string, CheckedFile>();
  readonly #changed = new Set<string>();

  constructor(parts: VaultCheckParts) {
    this.#parts = parts;
  }

  run(watch: ReportWatch = {}): Promise<VaultReport> {
    this.#forgetChanged();
    const { app, isExcluded } = this.#parts;
    const paths = app.vault.getMarkdownFiles().map(({ path }) => path);
    const check: ReportOptions["check"] = (path, inTurn) => this.#check(path, inTurn);
    return createReport({ ...watch, paths, isExcluded, check });
  }

  /** Obsidian has indexed a note again. */
  changed(path: string): void {
    if (this.#checked.size > 0) this.#changed.add(path);
  }

  /** Drops all results: any link may resolve differently, or the report was closed. */
  forget(): void {
    this.#checked.clear();
    this.#changed.clear();
  }

  #forgetChanged(): void {
    const isChanged = (path: string) => this.#changed.has(path);
    for (const [path, { targets }] of this.#checked) {
      if (isChanged(path) || targets.some(isChanged)) this.#checked.delete(path);
    }
    this.#changed.clear();
  }

  async #check(path: string, inTurn: InTurn): Promise<readonly Diagnostic[]> {
    const { app, checker, editors, index } = this.#parts;
    const file = app.vault.getFileByPath(path);
    if (file === null) return [];
    const open = editors.textOf(path)?.text;
    const { mtime } = file.stat;
    const known = this.#checked.get(path);
    if (open === undefined && known?.mtime === mtime) return known.diagnostics;
    const saved = await app.vault.cachedRead(file);
    return inTurn(() => {
      const grounds = { targets: new Set<string>(), isLasting: true };
      const text = open ?? saved;
      const diagnostics = checker.check(path, { text, isSaved: text === saved }, grounds);
      if (open === undefined && grounds.isLasting && !index.isBehind(path)) {
        this.#checked.set(path, { mtime, targets: [...grounds.targets], diagnostics });
      }
      return diagnostics;
    });
  }
}
