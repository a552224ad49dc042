import type { BigIntStats } from "node:fs";
import { lstat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { baseName, isInside, type PosixPath } from "@idewire/core";
import { platform } from "@idewire/node-server/internal";
import { keyOf, toNative } from "@idewire/node-server/internal/files";

/** How many files are known, and how many missing ones are expected. */
const MAX_KNOWN = 50_000;
const MAX_EXPECTED = 100;

/** A new file is reported only if it is still there after this time. */
const SETTLE_MS = 200;

/** If the version is unknown, an older file was not written: only its attributes have changed. */
const RECENT_MS = 10_000;

/** Files that are not texts of a person or an agent: drafts, swap files and backups of editors; comments of idewire. */
const IGNORED = /^\..*\.sw[a-p]$|^\.#|^#.*#$|~$|^\.DS_Store$|idewire-[0-9a-f]{8}\.tmp$|\.comments$/;

/** A file that exists, with its version once that is known. */
interface Known {
  readonly path: PosixPath;
  version: string | undefined;
}

/** Judges which changes in a folder are writes by other programs. */
export class WrittenFiles {
  readonly #onWritten: (paths: readonly PosixPath[]) => void;
  readonly #known = new Map<string, Known>();
  readonly #expected = new Set<PosixPath>();
  readonly #saves = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();

  constructor(onWritten: (paths: readonly PosixPath[]) => void) {
    this.#onWritten = onWritten;
  }

  /** @param isNew whether they are in a directory that has just been created */
  found(files: readonly PosixPath[], isNew: boolean): void {
    const unknown = files.filter((path) => !this.#known.has(keyOf(path)));
    if (isNew) void this.changed(unknown, new Set(unknown));
    else for (const path of unknown) this.#know(path, undefined);
  }

  /** Files that have left the watch: their versions are unknown when they return. */
  lose(files: readonly PosixPath[]): void {
    for (const path of files) this.#known.delete(keyOf(path));
  }

  /** A file that an agent is about to write: resolves to its version, undefined while there is none. */
  async expect(path: PosixPath): Promise<string | undefined> {
    const version = await versionOf(path);
    const known = this.#known.get(keyOf(path));
    if (version === undefined && this.#expected.size < MAX_EXPECTED) this.#expected.add(path);
    else if (version !== undefined && known?.version === undefined) this.#know(path, version);
    return version;
  }

  /** Saves a file by the editor itself. */
  async save<T>(path: PosixPath, run: () => Promise<T>): Promise<T> {
    const saving = run().finally(async () => {
      const version = await versionOf(path);
      if (version !== undefined) this.#know(path, version);
    });
    this.#saves.add(saving);
    try {
      return await saving;
    } finally {
      this.#saves.delete(saving);
    }
  }

  /** Call after changes of these paths; those in `replaced` may have been created or deleted. */
  async changed(paths: readonly PosixPath[], replaced: ReadonlySet<PosixPath>): Promise<void> {
    await Promise.allSettled(this.#saves);
    const all = new Set([...paths, ...this.#expected]);
    const judged = await Promise.all(
      [...all].map((path) => this.#judge(path, replaced.has(path) || this.#expected.has(path))),
    );
    const { signal } = this.#closing;
    if (judged.some(({ created }) => created.length > 0)) {
      await delay(SETTLE_MS, undefined, { signal }).catch(() => undefined);
    }
    const lasting = judged.flatMap(({ created }) => created).map((path) => this.#settled(path));
    const written = judged.flatMap((each) => each.written).concat(...(await Promise.all(lasting)));
    const reported = written.filter((path) => !IGNORED.test(baseName(path)));
    if (reported.length > 0 && !signal.aborted) this.#onWritten(reported);
  }

  close(): void {
    this.#closing.abort();
  }

  async #judge(path: PosixPath, isReplaced: boolean): Promise<Judged> {
    const stats = await look(path);
    if (stats === undefined) return { written: this.#forget(path), created: [] };
    if (!stats.isFile()) return NOTHING;
    this.#expected.delete(path);
    const known = this.#known.get(keyOf(path));
    if (known === undefined) return { written: [], created: [path] };
    const version = formatVersion(stats);
    if (known.version === version) return NOTHING;
    this.#know(path, version);
    const isRecent = Date.now() - Number(stats.mtimeMs) < RECENT_MS;
    const isWritten = known.version !== undefined || isReplaced || isRecent;
    return isWritten ? { written: [path], created: [] } : NOTHING;
  }

  /** A file that was created: drafts are gone by now. */
  async #settled(path: PosixPath): Promise<readonly PosixPath[]> {
    const version = await versionOf(path);
    if (version === undefined) return [];
    this.#know(path, version);
    return [path];
  }

  /** Returns the known files at or below a path that no longer exists. */
  #forget(path: PosixPath): readonly PosixPath[] {
    const own = this.#known.get(keyOf(path));
    const gone = own ? [own] : [...this.#known.values()].filter((each) => isIn(path, each.path));
    for (const each of gone) this.#known.delete(keyOf(each.path));
    return gone.map((each) => each.path);
  }

  #know(path: PosixPath, version: string | undefined): void {
    const key = keyOf(path);
    if (this.#known.has(key) || this.#known.size < MAX_KNOWN)
      this.#known.set(key, { path, version });
  }
}

/** Files that were written or deleted, and those that were created. */
interface Judged {
  readonly written: readonly PosixPath[];
  readonly created: readonly PosixPath[];
}

const NOTHING: Judged = { written: [], created: [] };

async function look(path: PosixPath): Promise<BigIntStats | undefined> {
  return lstat(toNative(path), { bigint: true }).catch(() => undefined);
}

async function versionOf(path: PosixPath): Promise<string | undefined> {
  const stats = await look(path);
  return stats && formatVersion(stats);
}

function formatVersion({ mtimeNs, size, ino }: BigIntStats): string {
  return `${mtimeNs} ${size} ${ino}`;
}

function isIn(directory: PosixPath, path: PosixPath): boolean {
  return isInside(directory, path, platform);
}
