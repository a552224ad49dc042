import { type FSWatcher, realpathSync, statSync, watch } from "node:fs";
import { clearTimeout, setTimeout } from "node:timers";
import { baseName, isInside, type PosixPath } from "@idewire/core";
import { codeOf, platform } from "@idewire/node-server/internal";
import { fromNative, isSamePath, joinPath, toNative } from "@idewire/node-server/internal/files";
import { changedPaths, type DirectoryListing, listDirectory } from "./directory-listing.ts";

/** Changes within this time are reported together. */
const COALESCE_MS = 50;

/** Why a directory is polled, and what the person can do. */
interface Reason {
  readonly why: string;
  readonly remedy?: string;
}

/** The errors by which the system refuses a watch for lack of resources. */
const SHORTAGES: Readonly<Record<string, Reason>> = {
  ENOSPC: {
    why: "the system has no watches left (ENOSPC)",
    remedy: "On Linux, raise fs.inotify.max_user_watches; or serve a smaller folder.",
  },
  EMFILE: {
    why: "this process has too many open files, or this user too many watchers (EMFILE)",
    remedy:
      "Raise the limit of open files (ulimit -n), and on Linux fs.inotify.max_user_instances; or close other programs that watch files.",
  },
  ENFILE: {
    why: "the system has too many open files (ENFILE)",
    remedy:
      "Close other programs; or raise the limit, on Linux fs.file-max, on macOS kern.maxfiles.",
  },
};

/** The errors by which the system reports that a path does not lead to a directory that can be read now. */
const ABSENT: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "ELOOP", "EACCES"]);

const SMALLER_FOLDER = "In a smaller folder, they are noticed at once.";

/** The number of files examined per round of polling. */
const MAX_POLLED_FILES = 2_000;

export interface FolderWatcherOptions {
  /** The most directories that the system watches, 1,000 when left out; further ones are polled. */
  readonly maxDirectories?: number;
  /** The pause between two rounds of polling, 2,000 when left out. */
  readonly pollMs?: number;
  /** Called once when directories are polled. */
  readonly warn?: (words: string) => void;
}

/**
 * Called with the paths that have changed.
 * @param replaced those that may have been created, replaced or deleted, rather than changed in place
 */
export type OnChange = (paths: readonly PosixPath[], replaced: ReadonlySet<PosixPath>) => void;

/** A watched directory. */
interface Watched {
  readonly watcher: FSWatcher;
  /** Identifies the directory: another one may get its name later. */
  readonly inode: string | undefined;
}

/**
 * Watches directories, each without its subdirectories; a replaced file is still watched. Directories for which
 * the system has no watches left are polled, and so are missing ones until they exist.
 */
export class FolderWatcher {
  readonly #onChange: OnChange;
  readonly #options: Required<FolderWatcherOptions>;
  readonly #watched = new Map<PosixPath, Watched>();
  readonly #polled = new Map<PosixPath, { listing: DirectoryListing | "unknown" }>();
  /** The directories of open documents: they take precedence, and are verified each time. */
  readonly #first = new Set<PosixPath>();
  readonly #changed = new Set<PosixPath>();
  readonly #replaced = new Set<PosixPath>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pollTimer: ReturnType<typeof setTimeout> | undefined;
  #hasWarned = false;
  #isClosed = false;

  constructor(onChange: OnChange, options: FolderWatcherOptions = {}) {
    this.#onChange = onChange;
    this.#options = { maxDirectories: 1_000, pollMs: 2_000, warn() {}, ...options };
    this.#planPoll();
  }

  /** The number of directories that the system watches. */
  get directories(): number {
    return this.#watched.size;
  }

  /** @param first whether it takes precedence: for an open document, or the folder itself */
  watch(directory: PosixPath, { first = false }: { readonly first?: boolean } = {}): void {
    if (this.#isClosed) return;
    if (first) this.#first.add(directory);
    if (this.#watched.has(directory)) return;
    if (this.#watched.size >= this.#options.maxDirectories && !(first && this.#makeRoom())) {
      this.#poll(directory, { why: `more than ${this.#options.maxDirectories} folders` });
      return;
    }
    let code = this.#tryWatch(directory);
    if (shortageOf(code) !== undefined && first && this.#makeRoom()) {
      code = this.#tryWatch(directory);
    }
    const shortage = shortageOf(code);
    if (code === undefined) {
      const polled = this.#polled.get(directory);
      this.#polled.delete(directory);
      // It was missing, so all its files are new.
      if (polled !== undefined && polled.listing === undefined) this.#contentUnknown(directory);
    } else if (ABSENT.has(code)) this.#polled.set(directory, { listing: undefined });
    else this.#poll(directory, shortage ?? refusal(code));
  }

  /** Ends the watch of a directory. */
  unwatch(directory: PosixPath): void {
    this.#first.delete(directory);
    this.#polled.delete(directory);
    this.#forget(directory);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#pollTimer);
    this.#changed.clear();
    this.#polled.clear();
    for (const directory of [...this.#watched.keys()]) this.#forget(directory);
  }

  /** @returns the system's error code when it cannot be watched */
  #tryWatch(directory: PosixPath): string | undefined {
    const native = toNative(directory);
    try {
      // A link would lead the watch elsewhere.
      if (!isSamePath(fromNative(realpathSync.native(native)), directory)) return "ELOOP";
      const inode = inodeOf(directory);
      const watcher = watch(native, (event, name) => this.#received(directory, name, event));
      watcher.on("error", (error) => {
        this.#forget(directory);
        this.#poll(directory, shortageOf(codeOf(error)) ?? { why: "a watch has failed" });
      });
      this.#watched.set(directory, { watcher, inode });
      return undefined;
    } catch (error) {
      return codeOf(error);
    }
  }

  /** Polls a directory without open documents instead, so that another one can be watched. */
  #makeRoom(): boolean {
    for (const directory of this.#watched.keys()) {
      if (this.#first.has(directory)) continue;
      this.#forget(directory);
      this.#poll(directory, { why: "there are open documents in more folders" });
      return true;
    }
    return false;
  }

  #poll(directory: PosixPath, { why, remedy = SMALLER_FOLDER }: Reason): void {
    if (this.#isClosed) return;
    if (!this.#polled.has(directory)) this.#polled.set(directory, { listing: "unknown" });
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#options.warn(
      `Not every folder is watched: ${why}. The others are polled every few seconds, so that changes are noticed later. ${remedy}`,
    );
  }

  #received(directory: PosixPath, name: string | null, event: string): void {
    if (name !== null) this.#changed.add(joinPath(directory, name));
    if (name !== null && event === "rename") this.#replaced.add(joinPath(directory, name));
    // A directory that is moved or deleted is reported by its own name.
    if (name === null || name === baseName(directory)) this.#changed.add(directory);
    this.#plan();
  }

  #plan(): void {
    this.#timer ??= setTimeout(() => this.#emit(), COALESCE_MS);
  }

  #emit(): void {
    this.#timer = undefined;
    const paths = [...this.#changed];
    const replaced = new Set(this.#replaced);
    this.#changed.clear();
    this.#replaced.clear();
    for (const path of paths) this.#watchAgain(path);
    this.#onChange(paths, replaced);
  }

  /** A directory that was deleted or recreated, with those in it: their old watches no longer report changes. */
  #watchAgain(path: PosixPath): void {
    const isKnown = this.#watched.has(path) || this.#polled.has(path);
    if (!isKnown) return;
    for (const directory of [...this.#watched.keys()]) {
      if (!isInside(path, directory, platform)) continue;
      this.#forget(directory);
      this.watch(directory, { first: this.#first.has(directory) });
    }
    if (this.#polled.has(path)) this.watch(path, { first: this.#first.has(path) });
  }

  #planPoll(): void {
    const planNext = () => {
      if (!this.#isClosed) this.#planPoll();
    };
    const poll = () => void this.#pollRound().finally(planNext);
    this.#pollTimer = setTimeout(poll, this.#options.pollMs);
    this.#pollTimer.unref();
  }

  async #pollRound(): Promise<void> {
    for (const directory of this.#first) {
      const watched = this.#watched.get(directory);
      if (watched !== undefined && watched.inode !== inodeOf(directory))
        this.#contentUnknown(directory);
    }
    let looked = 0;
    const isFirst = (directory: PosixPath) => this.#first.has(directory);
    const all = [...this.#polled.keys()];
    for (const directory of [...all.filter(isFirst), ...all.filter((each) => !isFirst(each))]) {
      if (this.#isClosed || looked >= MAX_POLLED_FILES) return;
      looked += await this.#look(directory);
    }
  }

  #contentUnknown(directory: PosixPath): void {
    this.#changed.add(directory);
    this.#plan();
  }

  /** @returns the number of files examined */
  async #look(directory: PosixPath): Promise<number> {
    const polled = this.#polled.get(directory);
    if (polled === undefined) return 0;
    const before = polled.listing;
    const now = await listDirectory(directory);
    if (this.#isClosed || this.#polled.get(directory) !== polled) return 0;
    // The next round continues with those examined longest ago.
    this.#polled.delete(directory);
    this.#polled.set(directory, { listing: now });
    const known = before === "unknown" ? now : before;
    for (const path of changedPaths(directory, known, now)) {
      this.#changed.add(path);
      this.#replaced.add(path);
    }
    if (this.#changed.size > 0) this.#plan();
    return now?.size ?? 1;
  }

  #forget(directory: PosixPath): void {
    this.#watched.get(directory)?.watcher.close();
    this.#watched.delete(directory);
  }
}

function shortageOf(code = ""): Reason | undefined {
  return Object.hasOwn(SHORTAGES, code) ? SHORTAGES[code] : undefined;
}

function refusal(code: string): Reason {
  const remedy = "On a file system that can be watched, they are noticed at once.";
  return { why: `the system refuses a watch (${code})`, remedy };
}

/** Undefined while it cannot be examined, such as when there is a file in place of a directory above it. */
function inodeOf(directory: PosixPath): string | undefined {
  try {
    const { dev, ino } = statSync(toNative(directory), { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return undefined;
  }
}
