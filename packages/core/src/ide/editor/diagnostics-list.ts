import type { PosixPath } from "../../paths/posix-path.ts";
import type { FileDiagnostics } from "../editor-host.ts";

/** The diagnostics of an editor, one entry for each file. */
export class DiagnosticsList {
  #all: readonly FileDiagnostics[] = [];

  /** Those of a file; all of them without one. */
  of(path?: PosixPath): readonly FileDiagnostics[] {
    return path === undefined ? this.#all : this.#all.filter((file) => file.path === path);
  }

  /** Replaces all; returns the changed files, with an empty list for each file that was left out. */
  replace(files: readonly FileDiagnostics[]): readonly FileDiagnostics[] {
    const gone = new Set(this.#all.map(({ path }) => path));
    for (const { path } of files) gone.delete(path);
    this.#all = files;
    return [...files, ...[...gone].map((path) => ({ path, diagnostics: [] }))];
  }

  /** Replaces those of some files. */
  update(files: readonly FileDiagnostics[]): void {
    const known = new Map(this.#all.map((file) => [file.path, file]));
    for (const file of files) known.set(file.path, file);
    this.#all = [...known.values()];
  }
}
