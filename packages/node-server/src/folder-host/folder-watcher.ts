import { type FSWatcher, watch } from "node:fs";
import { clearTimeout, setTimeout } from "node:timers";
import type { PosixPath } from "@idewire/core";
import { joinPath, toNative } from "./native-path.ts";

/** So many directories are watched, and no more. */
const MAX_DIRECTORIES = 1_000;

/** What happens within so long is told at once. */
const COALESCE_MS = 50;

/**
 * Watches directories, each for what is directly in it: a file that is replaced by another one
 * under its name goes on being watched. Where the system has no watches left, fewer directories are
 * watched; nobody may rely on being told.
 */
export class FolderWatcher {
  readonly #onChange: (paths: readonly PosixPath[]) => void;
  readonly #watchers = new Map<PosixPath, FSWatcher>();
  readonly #changed = new Set<PosixPath>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Closed, or the system refused one more. */
  #isFull = false;

  constructor(onChange: (paths: readonly PosixPath[]) => void) {
    this.#onChange = onChange;
  }

  get directories(): number {
    return this.#watchers.size;
  }

  watch(directory: PosixPath): void {
    if (this.#isFull || this.#watchers.has(directory)) return;
    try {
      const watcher = watch(toNative(directory), (_event, name) => this.#heard(directory, name));
      watcher.on("error", () => this.#forget(directory));
      this.#watchers.set(directory, watcher);
      this.#isFull = this.#watchers.size >= MAX_DIRECTORIES;
    } catch {
      // ENOSPC and EMFILE: no watch is left. ENOENT: it has gone again.
    }
  }

  close(): void {
    this.#isFull = true;
    clearTimeout(this.#timer);
    this.#changed.clear();
    for (const directory of [...this.#watchers.keys()]) this.#forget(directory);
  }

  #heard(directory: PosixPath, name: string | null): void {
    const path = name === null ? directory : joinPath(directory, name);
    this.#changed.add(path);
    this.#timer ??= setTimeout(() => this.#tell(), COALESCE_MS);
  }

  #tell(): void {
    this.#timer = undefined;
    const paths = [...this.#changed];
    this.#changed.clear();
    // A directory that went and came again: its watch would be deaf.
    for (const directory of paths.filter((path) => this.#watchers.has(path))) {
      this.#forget(directory);
      this.watch(directory);
    }
    this.#onChange(paths);
  }

  #forget(directory: PosixPath): void {
    this.#watchers.get(directory)?.close();
    this.#watchers.delete(directory);
  }
}
