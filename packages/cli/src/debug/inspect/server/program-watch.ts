import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, extname, join, relative, resolve } from "node:path";
import { clearTimeout, setTimeout } from "node:timers";
import { isInside, type PosixPath } from "@idewire/core";
import { platform } from "@idewire/node-server/internal";
import { fromNative, toNative } from "@idewire/node-server/internal/files";
import { FolderWatcher } from "../../../folder-host/folder-watcher.ts";

/** Changes within this time, as of a compiler that writes many files, are one. */
const DEBOUNCE_MS = 200;
/** A file that changes so soon after a start was probably written by the program. */
const OWN_MS = 2_000;
/** So many starts in a row because of such a file are a loop. */
const MAX_LOOPS = 3;
const MAX_FOLDERS = 200;
/** Larger files are ignored: they are not sources. */
const MAX_BYTES = 4_194_304;

/** The files of a program, without logs and databases that it writes. */
const SOURCES: ReadonlySet<string> = new Set([
  ...[".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".json", ".wasm"],
  ...[".py", ".rb", ".php", ".lua", ".pl", ".sh", ".go", ".rs", ".java", ".kt", ".cs", ".jar"],
]);

/** A program of a command line. */
export interface WatchedProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** Its real working directory, native. */
  readonly cwd: string;
}

export interface ProgramWatchOptions {
  /** Called after a change, with the files that have changed, relative to the working directory. */
  readonly onchange: (files: readonly string[]) => void;
  /** Called once for a file that is ignored from now on. */
  readonly onloop: (file: string) => void;
}

/** Watches the files of a program. */
export interface ProgramWatch {
  /** Called when the program was started: the next changes may be its own. */
  started(): void;
  close(): void;
}

/**
 * Watches the files that a command line names within the working directory, and the sources in their folders and
 * below, without `node_modules` and hidden folders; undefined if it names none. A file counts as changed when its
 * content differs. A file that changes at each start is ignored.
 */
export function watchProgram(
  program: WatchedProgram,
  options: ProgramWatchOptions,
): ProgramWatch | undefined {
  const named = namedFiles(program);
  return named.length === 0 ? undefined : new FileWatch(named, program.cwd, options);
}

/** The files that a command line names within its working directory; native and absolute. */
function namedFiles({ command, args, cwd }: WatchedProgram): readonly string[] {
  return [command, ...args]
    .map((word) => resolve(cwd, word))
    .filter((path) => {
      const isOwn = isInside(fromNative(cwd), fromNative(path), platform) && path !== cwd;
      return isOwn && !path.split(/[\\/]/).includes("node_modules") && isFile(path);
    });
}

class FileWatch implements ProgramWatch {
  readonly #named: ReadonlySet<string>;
  readonly #cwd: string;
  readonly #options: ProgramWatchOptions;
  readonly #watcher: FolderWatcher;
  readonly #hashes = new Map<string, string | undefined>();
  readonly #pending = new Set<string>();
  /** How often each file has changed right after a start, in a row. */
  readonly #loops = new Map<string, number>();
  #startedAt = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(named: readonly string[], cwd: string, options: ProgramWatchOptions) {
    this.#named = new Set(named);
    this.#cwd = cwd;
    this.#options = options;
    this.#watcher = new FolderWatcher((paths) => this.#received(paths));
    for (const folder of foldersBelow(named.map((file) => dirname(file)))) {
      this.#watcher.watch(fromNative(folder));
      for (const file of filesIn(folder))
        if (this.#counts(file)) this.#hashes.set(file, hashOf(file));
    }
  }

  started(): void {
    this.#startedAt = performance.now();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#watcher.close();
  }

  #counts(file: string): boolean {
    const isSource = this.#named.has(file) || SOURCES.has(extname(file).toLowerCase());
    return isSource && (this.#loops.get(file) ?? 0) < MAX_LOOPS;
  }

  #received(paths: readonly PosixPath[]): void {
    for (const path of paths) {
      const file = toNative(path);
      if (this.#counts(file)) this.#pending.add(file);
    }
    if (this.#pending.size === 0) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#settle(), DEBOUNCE_MS);
  }

  #settle(): void {
    const files = [...this.#pending].filter((file) => this.#hasChanged(file));
    this.#pending.clear();
    const isOwn = performance.now() - this.#startedAt < OWN_MS;
    const changed = files.filter((file) => !this.#isLoop(file, isOwn));
    if (changed.length === 0) return;
    this.#options.onchange(changed.map((file) => relative(this.#cwd, file)));
  }

  /** A file that is missing may be about to be replaced. */
  #hasChanged(file: string): boolean {
    const hash = hashOf(file);
    if (hash === undefined || hash === this.#hashes.get(file)) return false;
    this.#hashes.set(file, hash);
    return true;
  }

  #isLoop(file: string, isOwn: boolean): boolean {
    const count = isOwn ? (this.#loops.get(file) ?? 0) + 1 : 0;
    this.#loops.set(file, count);
    if (count < MAX_LOOPS) return false;
    this.#options.onloop(relative(this.#cwd, file));
    return true;
  }
}

/** The folders and those below; each once. */
function foldersBelow(roots: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [...roots];
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    if (found.size === MAX_FOLDERS) break;
    if (found.has(folder)) continue;
    found.add(folder);
    for (const entry of entriesOf(folder)) {
      const isOwn = entry.isDirectory() && !entry.name.startsWith(".");
      if (isOwn && entry.name !== "node_modules") waiting.push(join(folder, entry.name));
    }
  }
  return found;
}

function filesIn(folder: string): readonly string[] {
  return entriesOf(folder)
    .filter((entry) => entry.isFile())
    .map(({ name }) => join(folder, name));
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    // A word may also be code, which is too long for a name.
    return false;
  }
}

function hashOf(file: string): string | undefined {
  try {
    if (statSync(file).size > MAX_BYTES) return undefined;
    return createHash("sha256").update(readFileSync(file)).digest("hex");
  } catch {
    return undefined;
  }
}
