import { type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import { join, relative } from "node:path";

/** Simultaneous changes are reported together. */
const GATHER_MS = 15;

/** Reports which paths below a folder have changed, whoever changed them. */
export class VaultWatch {
  readonly #root: string;
  readonly #emit: (paths: readonly string[]) => void;
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #changed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(root: string, emit: (paths: readonly string[]) => void) {
    this.#root = root;
    this.#emit = emit;
    this.#watch(root);
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #watch(folder: string): void {
    if (this.#watchers.has(folder)) return;
    try {
      const watcher = watch(folder, (_, name) => this.#note(folder, name));
      watcher.on("error", () => this.#forget(folder));
      this.#watchers.set(folder, watcher);
    } catch {
      // The folder was deleted after it was listed.
      return;
    }
    for (const entry of entriesOf(folder)) {
      if (entry.isDirectory() && !entry.name.startsWith(".")) this.#watch(join(folder, entry.name));
    }
  }

  #note(folder: string, name: string | null): void {
    if (name === null || name.startsWith(".")) return;
    const path = join(folder, name);
    if (isFolder(path)) {
      const isNew = !this.#watchers.has(path);
      this.#watch(path);
      // Changes in a new folder before it was watched would never be reported.
      const below = isNew ? pathsBelow(path) : [];
      for (const each of below) this.#changed.add(relative(this.#root, each));
    } else this.#forget(path);
    this.#changed.add(relative(this.#root, path));
    this.#timer ??= setTimeout(() => this.#flush(), GATHER_MS);
  }

  #forget(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }

  #flush(): void {
    this.#timer = undefined;
    const paths = [...this.#changed].sort();
    this.#changed.clear();
    this.#emit(paths);
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function pathsBelow(folder: string): string[] {
  return entriesOf(folder)
    .filter(({ name }) => !name.startsWith("."))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? [path, ...pathsBelow(path)] : [path];
    });
}
