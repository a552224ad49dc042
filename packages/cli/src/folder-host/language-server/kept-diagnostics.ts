import { type Diagnostic, isInside, type PosixPath } from "@idewire/core";
import { platform } from "@idewire/node-server/internal";
import { keyOf } from "@idewire/node-server/internal/files";

/** The most diagnostics stored for a file. */
export const MAX_OF_FILE = 100;

/** The most files with diagnostics; those of further files are dropped. */
const MAX_FILES = 2_000;

/** Whether the server pushed a list or returned it for a pull. */
export type ListKind = "pushed" | "pulled";

interface KeptFile {
  readonly path: PosixPath;
  readonly lists: Map<ListKind, readonly Diagnostic[]>;
}

/** The diagnostics of one server by file, within limits. */
export class KeptDiagnostics {
  readonly #files = new Map<string, KeptFile>();

  /** Returns whether the list has changed. */
  set(path: PosixPath, kind: ListKind, list: readonly Diagnostic[]): boolean {
    const key = keyOf(path);
    const file = this.#files.get(key) ?? { path, lists: new Map() };
    if (JSON.stringify(file.lists.get(kind) ?? []) === JSON.stringify(list)) return false;
    if (list.length > 0) {
      if (!this.#files.has(key) && this.#files.size >= MAX_FILES) return false;
      file.lists.set(kind, list);
      this.#files.set(key, file);
    } else {
      file.lists.delete(kind);
      if (file.lists.size === 0) this.#files.delete(key);
    }
    return true;
  }

  of(path: PosixPath): readonly Diagnostic[] {
    const file = this.#files.get(keyOf(path));
    return [...(file?.lists.values() ?? [])].flat().slice(0, MAX_OF_FILE);
  }

  /** Removes a file, or all files below a directory; returns those that had diagnostics. */
  drop(path: PosixPath): readonly PosixPath[] {
    const dropped = [...this.#files].filter(([, file]) => isInside(path, file.path, platform));
    for (const [key] of dropped) this.#files.delete(key);
    return dropped.map(([, file]) => file.path);
  }
}
