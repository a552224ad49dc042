import { type FSWatcher, realpathSync, watch } from "node:fs";
import { clearTimeout, setTimeout } from "node:timers";
import { baseName, type PosixPath } from "@idewire/core";
import { fromNative, isSamePath, joinPath, toNative } from "@idewire/node-server/internal/files";

/** The most directories that are watched. */
const MAX_DIRECTORIES = 1_000;

/** Changes within this time are reported together. */
const COALESCE_MS = 50;

/**
 * Watches directories, each for what is directly in it: a file that is replaced by another one
 * under its name is still watched. Where the system has no watches left, fewer directories are
 * watched: reports are not reliable.
 */
export class FolderWatcher {
  readonly #onChange: (paths: readonly PosixPath[]) => void;
  readonly #watchers = new Map<PosixPath, FSWatcher>();
  /** Watched, or to be watched when they are there again. */
  readonly #wanted = new Set<PosixPath>();
  readonly #changed = new Set<PosixPath>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(onChange: (paths: readonly PosixPath[]) => void) {
    this.#onChange = onChange;
  }

  get directories(): number {
    return this.#watchers.size;
  }

  watch(directory: PosixPath): void {
    if (this.#isClosed || this.#watchers.size >= MAX_DIRECTORIES) return;
    if (this.#watchers.has(directory)) return;
    try {
      // Through a link it would watch what is elsewhere.
      if (!isSamePath(fromNative(realpathSync.native(toNative(directory))), directory)) return;
      const watcher = watch(toNative(directory), (_event, name) => this.#received(directory, name));
      watcher.on("error", () => this.#forget(directory));
      this.#watchers.set(directory, watcher);
      this.#wanted.add(directory);
    } catch {
      // ENOSPC and EMFILE: no watch is left. ENOENT: it no longer exists.
    }
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#changed.clear();
    for (const directory of [...this.#watchers.keys()]) this.#forget(directory);
  }

  #received(directory: PosixPath, name: string | null): void {
    if (name !== null) this.#changed.add(joinPath(directory, name));
    // A directory that is moved or deleted is reported by its own name.
    if (name === null || name === baseName(directory)) this.#changed.add(directory);
    this.#timer ??= setTimeout(() => this.#emit(), COALESCE_MS);
  }

  #emit(): void {
    this.#timer = undefined;
    const paths = [...this.#changed];
    this.#changed.clear();
    // A directory that went or came again: its old watch would be deaf.
    for (const directory of paths.filter((path) => this.#wanted.has(path))) {
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
