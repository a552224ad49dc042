import { lstat } from "node:fs/promises";
import type { Diagnostic, FileDiagnostics, PosixPath } from "@idewire/core";
import { keyOf, parentOf, toNative } from "@idewire/node-server/internal/files";
import type { OpenDocuments } from "../open-documents.ts";
import { DeadlineTimers } from "./deadline.ts";
import type { FileChecker } from "./file-checker.ts";
import { type KnownFile, KnownFiles } from "./known-files.ts";
import { Providers, type ProvidersOptions } from "./providers.ts";
import { isSkipped, scanFolder } from "./workspace-scan.ts";

/** The most files of the folder that are checked unasked. */
const MAX_SCANNED_FILES = 2_000;

/** How many files are checked concurrently: most of the time is spent waiting for the disk. */
const LANES = 8;

/** How long an answer for the whole folder waits, of the 2 s that an agent waits. */
const ANSWER_MS = 1_200;

/**
 * Providers may use all of it except the time to compose and send the answer: a late answer is lost entirely.
 * For one file, of 500 ms, they get less.
 */
const PROVIDERS_MS = 1_800;
const PROVIDERS_FILE_MS = 300;

export interface FolderDiagnosticsOptions {
  readonly folder: PosixPath;
  readonly checker: FileChecker;
  readonly documents: OpenDocuments;
  readonly providers: Pick<ProvidersOptions, "providers" | "paths">;
  readonly onChange: (paths: readonly PosixPath[]) => void;
  /** Asks for a directory to be watched; changes are reported by `filesChanged`. */
  readonly watch: (directory: PosixPath) => void;
  /** Called with the files of each directory searched; `isNew` after the first scan. */
  readonly found: (files: readonly PosixPath[], isNew: boolean) => void;
}

/** The diagnostics of a folder's files: those of the sources, the providers and commands. */
export class FolderDiagnostics {
  readonly #options: FolderDiagnosticsOptions;
  readonly #timers = new DeadlineTimers();
  readonly #providers: Providers;
  readonly #known = new KnownFiles();
  #given: ReadonlyMap<string, FileDiagnostics> = new Map();
  /** The files whose diagnostics have changed since the last event. */
  readonly #changed = new Map<string, PosixPath>();
  #scan: Promise<void> | undefined;
  #lastCheck = 0;
  #isClosed = false;

  constructor(options: FolderDiagnosticsOptions) {
    this.#options = options;
    this.#providers = new Providers({
      ...options.providers,
      documents: options.documents,
      timers: this.#timers,
      onChange: (paths) => this.#providersChanged(paths),
    });
    this.#providers.open();
  }

  /** Scans the folder in the background, so that the first answer is complete. */
  start(): void {
    // A source that throws ends the scan, not the process.
    this.#scan ??= this.#checkFolder(this.#options.folder).catch(() => undefined);
  }

  /** Of one file, under the requested name. */
  async ofFile(path: PosixPath): Promise<FileDiagnostics> {
    const [known] = await Promise.all([
      this.#check(path),
      this.#providers.fresh(PROVIDERS_FILE_MS, path).catch(() => undefined),
    ]);
    known.isRequested = true;
    known.path = path;
    this.#emit();
    return this.#answer(path);
  }

  /** Of all known files: in a large folder, the first answers precede the end of the scan. */
  async ofFolder(): Promise<readonly FileDiagnostics[]> {
    const watched = [...this.#known.values()].filter(
      ({ isRequested, hadSome }) => isRequested || hadSome,
    );
    const paths = [...watched, ...this.#options.documents.all].map(({ path }) => path);
    this.start();
    await Promise.all([
      this.#timers.within(ANSWER_MS, Promise.all([this.#checkEach(paths), this.#scan])),
      this.#providers.fresh(PROVIDERS_MS),
    ]);
    const sent = [...this.#known.values()]
      .filter(({ isRequested, exists, hadSome }) => hadSome || (isRequested && exists))
      .sort((a, b) => (a.path < b.path ? -1 : 1));
    return Promise.all(sent.map(({ path }) => this.#answer(path)));
  }

  /** This file will be asked about soon. */
  expect(path: PosixPath): void {
    void this.#providers.want(path).catch(() => undefined);
  }

  setGiven(files: readonly FileDiagnostics[]): void {
    const before = this.#given;
    const after = new Map<string, FileDiagnostics>();
    for (const { path, diagnostics } of files) {
      const same = after.get(keyOf(path))?.diagnostics ?? [];
      after.set(keyOf(path), { path, diagnostics: [...same, ...diagnostics] });
    }
    this.#given = after;
    for (const [key, { path }] of new Map([...before, ...after])) {
      this.#known.remember(path).hadSome = true;
      const isSame = sameDiagnostics(before.get(key)?.diagnostics, after.get(key)?.diagnostics);
      if (!isSame) this.#changed.set(key, path);
    }
    this.#emit();
  }

  /** Call after changes of these files or directories. */
  async filesChanged(paths: readonly PosixPath[]): Promise<void> {
    void this.#providers.filesChanged(paths);
    const { checker } = this.#options;
    const dependents = checker
      .dependentsOf(paths)
      .flatMap((key) => this.#known.get(key)?.path ?? []);
    const known = paths.filter((path) => this.#known.has(keyOf(path)));
    const fresh = paths.filter((path) => this.#isFresh(path));
    await this.#checkEach([...known, ...this.#reserve(fresh), ...dependents]);
    if (this.#scan === undefined) return;
    for (const path of paths) if (await isDirectory(path)) await this.#checkFolder(path);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timers.close();
    await this.#providers.close();
  }

  /** An open file that is still unknown, or a new one that the scan would have found. */
  #isFresh(path: PosixPath): boolean {
    const { checker, documents } = this.#options;
    if (this.#known.has(keyOf(path)) || !checker.accepts(path)) return false;
    if (documents.get(path) !== undefined) return true;
    return this.#scan !== undefined && !this.#isLeftOut(parentOf(path));
  }

  /** Reserves all places in one step, since a scan and the watcher run concurrently. */
  #reserve(paths: readonly PosixPath[]): readonly PosixPath[] {
    const { documents } = this.#options;
    return paths.filter((path) => {
      const hasRoom = this.#known.size < MAX_SCANNED_FILES || documents.get(path) !== undefined;
      if (hasRoom) this.#known.remember(path);
      return hasRoom;
    });
  }

  #isLeftOut(directory: PosixPath): boolean {
    return directory.slice(this.#options.folder.length).split("/").some(isSkipped);
  }

  async #checkFolder(folder: PosixPath): Promise<void> {
    if (this.#isLeftOut(folder)) return;
    const { checker, watch, found } = this.#options;
    const isNew = folder !== this.#options.folder;
    // Watched before it is listed, so that no change in between is missed.
    for await (const files of scanFolder(folder, watch)) {
      if (this.#isClosed) return;
      found(files, isNew);
      // The others are watched nevertheless.
      if (this.#known.size >= MAX_SCANNED_FILES) continue;
      const fresh = files.filter((file) => !this.#known.has(keyOf(file)) && checker.accepts(file));
      await this.#checkEach(this.#reserve(fresh));
    }
  }

  async #checkEach(paths: readonly PosixPath[]): Promise<void> {
    const ahead = new Set(paths).values();
    await Promise.all(Array.from({ length: LANES }, () => this.#checkAhead(ahead)));
    this.#emit();
  }

  async #checkAhead(ahead: Iterator<PosixPath>): Promise<void> {
    for (let next = ahead.next(); !next.done && !this.#isClosed; next = ahead.next()) {
      const path = next.value;
      // A path that can no longer be checked, such as one that became a directory, has no diagnostics.
      await this.#check(path).catch(() => this.#record(path, undefined, ++this.#lastCheck));
    }
  }

  async #check(path: PosixPath): Promise<KnownFile> {
    this.#lastCheck += 1;
    const check = this.#lastCheck;
    const diagnostics = await this.#options.checker.check(path);
    this.#options.watch(parentOf(path));
    return this.#record(path, diagnostics, check);
  }

  #record(path: PosixPath, own: readonly Diagnostic[] | undefined, check: number): KnownFile {
    const known = this.#known.remember(path);
    if (known.check > check) return known;
    known.check = check;
    if (!sameDiagnostics(known.own, own)) this.#changed.set(keyOf(path), known.path);
    known.own = own ?? [];
    known.exists = own !== undefined;
    known.hadSome ||= known.own.length > 0;
    return known;
  }

  /** Diagnostics of a secret or an outside file may quote it. */
  async #answer(path: PosixPath): Promise<FileDiagnostics> {
    const diagnostics = [...this.#merged(keyOf(path)), ...this.#providers.of(path)];
    const isHidden = diagnostics.length > 0 && (await this.#options.checker.isHidden(path));
    return { path, diagnostics: isHidden ? [] : diagnostics };
  }

  #merged(key: string): readonly Diagnostic[] {
    const own = this.#known.get(key)?.own ?? [];
    return [...own, ...(this.#given.get(key)?.diagnostics ?? [])];
  }

  #providersChanged(paths: readonly PosixPath[]): void {
    for (const path of paths) {
      this.#known.remember(path).hadSome = true;
      this.#changed.set(keyOf(path), path);
    }
    this.#emit();
  }

  #emit(): void {
    if (this.#changed.size === 0 || this.#isClosed) return;
    const paths = [...this.#changed.values()];
    this.#changed.clear();
    this.#options.onChange(paths);
  }
}

async function isDirectory(path: PosixPath): Promise<boolean> {
  const stats = await lstat(toNative(path)).catch(() => undefined);
  return stats?.isDirectory() === true;
}

function sameDiagnostics(
  one: readonly Diagnostic[] = [],
  other: readonly Diagnostic[] = [],
): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
