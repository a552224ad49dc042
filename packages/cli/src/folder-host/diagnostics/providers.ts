import { lstat } from "node:fs/promises";
import { type Diagnostic, isInside, type PosixPath } from "@idewire/core";
import { isSecretPath } from "@idewire/core/internal";
import { evictOldest } from "@idewire/core/internal/base";
import { platform } from "@idewire/node-server/internal";
import type { WorkspacePaths } from "@idewire/node-server/internal/files";
import { keyOf, toNative } from "@idewire/node-server/internal/files";
import type { DiagnosticsProvider, ProviderFolder, ProviderText } from "../diagnostics-provider.ts";
import { isDirty, type OpenDocuments } from "../open-documents.ts";
import type { DeadlineTimers } from "./deadline.ts";

/** Larger texts are not passed to diagnostics providers. */
const MAX_FED_BYTES = 1024 * 1024;

/** How many files are followed: the most recently requested ones. */
const MAX_WANTED = 64;

/** How many alternative names are remembered. */
const MAX_ALIASES = 1_000;

/** The most diagnostics of a file, over all providers. */
const MAX_DIAGNOSTICS = 200;

export interface ProvidersOptions {
  readonly providers: readonly DiagnosticsProvider[];
  readonly paths: WorkspacePaths;
  readonly documents: OpenDocuments;
  readonly timers: DeadlineTimers;
  readonly onChange: (paths: readonly PosixPath[]) => void;
}

interface WantedFile {
  readonly path: PosixPath;
  stamp: string;
}

/** Notifies diagnostics providers of the files that matter, and merges their diagnostics. */
export class Providers {
  readonly #options: ProvidersOptions;
  /** By comparison key, the least recently requested first. */
  readonly #wanted = new Map<string, WantedFile>();
  /** Real paths by the key of another name. */
  readonly #aliases = new Map<string, PosixPath>();

  constructor(options: ProvidersOptions) {
    this.#options = options;
  }

  open(): void {
    const folder: ProviderFolder = {
      folder: this.#options.paths.folder,
      read: (path) => this.#read(path),
      isWanted: (path) => this.#wanted.has(keyOf(path)) || this.#isOpen(path),
      changed: (paths) => this.#options.onChange(paths),
    };
    for (const provider of this.#options.providers) provider.open(folder);
  }

  /** This file will be asked about soon. */
  async want(path: PosixPath): Promise<void> {
    const { paths, providers } = this.#options;
    if (providers.length === 0) return;
    const { real, inside } = await paths.locate(path);
    if (!inside || isSecretPath(real)) return;
    if (keyOf(real) !== keyOf(path)) this.#remember(path, real);
    const known = this.#wanted.get(keyOf(real));
    this.#wanted.delete(keyOf(real));
    this.#wanted.set(keyOf(real), known ?? { path: real, stamp: await this.#stampOf(real) });
    evictOldest(this.#wanted, MAX_WANTED);
    if (known === undefined) for (const provider of providers) provider.want([real]);
  }

  /** Waits until the providers have processed the current files. */
  async fresh(timeoutMs: number, path?: PosixPath): Promise<void> {
    const { providers, timers } = this.#options;
    if (providers.length === 0) return;
    await timers.within(timeoutMs, this.#settle(path));
  }

  /** Call after changes of these files or directories. */
  async filesChanged(paths: readonly PosixPath[]): Promise<void> {
    const { providers } = this.#options;
    if (providers.length === 0) return;
    const changed: PosixPath[] = [];
    for (const path of paths) {
      if (isSecretPath(path)) continue;
      if (this.#isOpen(path) && !this.#wanted.has(keyOf(path))) await this.want(path);
      else if (await this.#isChanged(path)) changed.push(path);
    }
    if (changed.length > 0) for (const provider of providers) provider.filesChanged(changed);
  }

  of(path: PosixPath): readonly Diagnostic[] {
    const { providers } = this.#options;
    if (providers.length === 0) return [];
    const real = this.#aliases.get(keyOf(path)) ?? path;
    return providers.flatMap((provider) => provider.of(real)).slice(0, MAX_DIAGNOSTICS);
  }

  async close(): Promise<void> {
    await Promise.all(this.#options.providers.map((provider) => provider.close()));
  }

  async #settle(path: PosixPath | undefined): Promise<void> {
    const { providers } = this.#options;
    if (path !== undefined) await this.want(path);
    // The watcher may miss changes, and is slower than the agent.
    await this.filesChanged([...this.#wanted.values()].map((file) => file.path));
    await Promise.all(providers.map((provider) => provider.settled()));
  }

  /** For a file that nobody asked about, any change is reported. */
  async #isChanged(path: PosixPath): Promise<boolean> {
    const known = this.#wanted.get(keyOf(path));
    if (known === undefined) return true;
    const stamp = await this.#stampOf(path);
    const isChanged = known.stamp !== stamp;
    known.stamp = stamp;
    return isChanged;
  }

  async #stampOf(path: PosixPath): Promise<string> {
    const document = this.#options.documents.get(path);
    if (document !== undefined && isDirty(document)) return `unsaved ${document.version}`;
    try {
      const { mtimeMs, ctimeMs, size, ino } = await lstat(toNative(path));
      return `${mtimeMs} ${ctimeMs} ${size} ${ino}`;
    } catch {
      return "missing";
    }
  }

  #isOpen(path: PosixPath): boolean {
    return this.#options.documents.get(path) !== undefined;
  }

  #remember(alias: PosixPath, real: PosixPath): void {
    if (this.#aliases.size >= MAX_ALIASES) this.#aliases.clear();
    this.#aliases.set(keyOf(alias), real);
  }

  async #read(path: PosixPath): Promise<ProviderText | undefined> {
    const { documents, paths } = this.#options;
    if (!isInside(paths.folder, path, platform) || isSecretPath(path)) return undefined;
    const document = documents.get(path);
    if (document !== undefined && isDirty(document)) {
      const { text } = document;
      return text.length > MAX_FED_BYTES ? undefined : { text, isSaved: false };
    }
    const file = await paths.readReal(path, MAX_FED_BYTES).catch(() => undefined);
    return file?.kind === "text" ? { text: file.text, isSaved: true } : undefined;
  }
}
