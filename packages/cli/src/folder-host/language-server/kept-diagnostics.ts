import { type Diagnostic, isInside, type PosixPath } from "@idewire/core";
import { platform } from "@idewire/node-server/internal";
import { keyOf } from "@idewire/node-server/internal/files";

/** The most diagnostics that are kept of one file. */
export const MAX_OF_FILE = 100;

/** The most files that may have any; those of further files are dropped. */
const MAX_FILES = 2_000;

/** Whether a list was pushed by the server, or answered when it was asked. */
export type ListKind = "pushed" | "pulled";

interface KeptFile {
  readonly path: PosixPath;
  readonly lists: Map<ListKind, readonly Diagnostic[]>;
}

/** What one server says of each file, within bounds. */
export class KeptDiagnostics {
  readonly #files = new Map<string, KeptFile>();

  /** Says whether the list is another one now. */
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

  /** Forgets a file, or all below a directory; gives the files that had some. */
  drop(path: PosixPath): readonly PosixPath[] {
    const dropped = [...this.#files].filter(([, file]) => isInside(path, file.path, platform));
    for (const [key] of dropped) this.#files.delete(key);
    return dropped.map(([, file]) => file.path);
  }
}
