import type { Diagnostic, PosixPath } from "@idewire/core";
import { evictOldest } from "@idewire/core/internal/base";
import { keyOf } from "@idewire/node-server/internal/files";

/** The most files remembered, whether asked about or not. */
const MAX_KNOWN_FILES = 10_000;

/** A file, and the findings of its checks. */
export interface KnownFile {
  /** The path as requested, otherwise as on disk. */
  path: PosixPath;
  own: readonly Diagnostic[];
  /** The number of the check with this result: an older check that ends later is out of date. */
  check: number;
  exists: boolean;
  isRequested: boolean;
  hadSome: boolean;
}

/** The files that were examined, asked about, or reported on, by comparison key. */
export class KnownFiles {
  readonly #files = new Map<string, KnownFile>();

  get size(): number {
    return this.#files.size;
  }

  has(key: string): boolean {
    return this.#files.has(key);
  }

  get(key: string): KnownFile | undefined {
    return this.#files.get(key);
  }

  values(): Iterable<KnownFile> {
    return this.#files.values();
  }

  /** Returns the file at this path, adding it if necessary. */
  remember(path: PosixPath): KnownFile {
    const key = keyOf(path);
    const known = this.#files.get(key) ?? {
      path,
      own: [],
      check: 0,
      exists: false,
      isRequested: false,
      hadSome: false,
    };
    this.#files.set(key, known);
    evictOldest(this.#files, MAX_KNOWN_FILES);
    return known;
  }
}
