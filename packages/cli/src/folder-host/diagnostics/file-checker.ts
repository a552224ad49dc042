import { lstat } from "node:fs/promises";
import { type Diagnostic, isInside, type Position, type PosixPath } from "@idewire/core";
import { isSecretPath } from "@idewire/core/internal";
import { describePath, messageOf } from "@idewire/core/internal/base";
import { ToolFailure } from "@idewire/core/rpc";
import { platform } from "@idewire/node-server/internal";
import type { TextFile, WorkspacePaths } from "@idewire/node-server/internal/files";
import { isSamePath, keyOf, toNative } from "@idewire/node-server/internal/files";
import type { DiagnosticSource, FileLookup } from "../diagnostic-source.ts";
import { isDirty, type OpenDocuments } from "../open-documents.ts";

/** Larger files are not checked. */
const MAX_CHECKED_BYTES = 1024 * 1024;

/** The most diagnostics reported for a file. */
const MAX_DIAGNOSTICS = 100;

/** A file that changed so shortly before it was read may change again under the same stamp. */
const UNSURE_MS = 100;

const START: Position = { line: 0, character: 0 };

/** Differs after each change of a file; undefined when that is uncertain. */
type Stamp = string | undefined;

interface OtherFile {
  readonly real: PosixPath;
  readonly stamp: Stamp;
}

interface CachedResult {
  readonly stamp: Stamp;
  readonly diagnostics: readonly Diagnostic[];
  /** The other files that the result depends on, by comparison key. */
  readonly lookups: ReadonlyMap<string, OtherFile>;
}

type LoadedFile = { readonly kind: "text"; readonly text: string } | TextFile;

export interface FileCheckerOptions {
  readonly paths: WorkspacePaths;
  readonly documents: OpenDocuments;
  readonly sources: readonly DiagnosticSource[];
}

/** Checks a file with the sources, or returns their cached result. */
export class FileChecker {
  readonly #paths: WorkspacePaths;
  readonly #documents: OpenDocuments;
  readonly #sources: readonly DiagnosticSource[];
  /** By the comparison key of the real path. */
  readonly #checked = new Map<string, CachedResult>();

  constructor({ paths, documents, sources }: FileCheckerOptions) {
    this.#paths = paths;
    this.#documents = documents;
    this.#sources = sources;
  }

  /** Whether any source checks it. */
  accepts(path: PosixPath): boolean {
    return this.#sources.some((source) => source.accepts(path));
  }

  /** Whether it is a secret, or a link to one or out of the folder. */
  async isHidden(path: PosixPath): Promise<boolean> {
    const { real, inside } = await this.#paths.locate(path);
    const isLedOut = !inside && isInside(this.#paths.folder, path, platform);
    return isLedOut || isSecretPath(path) || isSecretPath(real);
  }

  /**
   * The current diagnostics of a file, unsaved text first; undefined when it does not exist.
   * @throws ToolFailure when it is outside, a directory or not a text
   */
  async check(path: PosixPath): Promise<readonly Diagnostic[] | undefined> {
    const { real } = await this.#paths.demandInside(path);
    // A diagnostic of a secret file would reveal its content, or that it exists.
    if (isSecretPath(real)) return undefined;
    const key = keyOf(real);
    const stamp = await this.#stampOf(real);
    const known = this.#checked.get(key);
    if (known !== undefined && (await this.#isFresh(known, stamp))) return known.diagnostics;
    const file = await this.#load(real);
    if (file.kind === "missing") {
      this.#checked.delete(key);
      return undefined;
    }
    if (file.kind === "refused" && file.rule !== "too-large") {
      throw new ToolFailure(`${describePath(path)} ${file.why}`);
    }
    const lookups = new Map<string, OtherFile>();
    // A file that is too large exists, but is not checked.
    const diagnostics =
      file.kind === "text" ? await this.#run(real, file.text, this.#lookup(lookups)) : [];
    this.#checked.set(key, { stamp, diagnostics, lookups });
    return diagnostics;
  }

  /** The files, by comparison key, whose results depend on any of these. */
  dependentsOf(paths: readonly PosixPath[]): readonly string[] {
    const keys = paths.map((path) => keyOf(path));
    return [...this.#checked]
      .filter(([, { lookups }]) => lookups.size > 0 && keys.some((key) => lookups.has(key)))
      .map(([other]) => other);
  }

  async #run(path: PosixPath, text: string, files: FileLookup): Promise<readonly Diagnostic[]> {
    const found: Diagnostic[] = [];
    for (const source of this.#sources) {
      const { name, maxLength = MAX_CHECKED_BYTES } = source;
      if (!source.accepts(path) || text.length > maxLength) continue;
      const diagnostics = await source.check(path, text, files).catch(toFinding);
      found.push(
        ...diagnostics.slice(0, MAX_DIAGNOSTICS).map((item) => ({ source: name, ...item })),
      );
    }
    return found.slice(0, MAX_DIAGNOSTICS);
  }

  async #load(real: PosixPath): Promise<LoadedFile> {
    const document = this.#documents.get(real);
    if (document !== undefined && isDirty(document)) return { kind: "text", text: document.text };
    return this.#paths.readReal(real, MAX_CHECKED_BYTES);
  }

  async #isFresh({ stamp, lookups }: CachedResult, now: Stamp): Promise<boolean> {
    if (stamp === undefined || stamp !== now) return false;
    for (const other of lookups.values()) {
      if (other.stamp === undefined || other.stamp !== (await this.#stampOf(other.real)))
        return false;
    }
    return true;
  }

  async #stampOf(real: PosixPath): Promise<Stamp> {
    const document = this.#documents.get(real);
    if (document !== undefined && isDirty(document)) return `unsaved ${document.version}`;
    try {
      const { mtimeMs, ctimeMs, size, ino } = await lstat(toNative(real));
      if (Math.abs(Date.now() - ctimeMs) < UNSURE_MS) return undefined;
      return `${mtimeMs} ${ctimeMs} ${size} ${ino}`;
    } catch {
      return "missing";
    }
  }

  #lookup(lookups: Map<string, OtherFile>): FileLookup {
    const note = async (real: PosixPath) => {
      const stamp = await this.#stampOf(real);
      lookups.set(keyOf(real), { real, stamp });
      return stamp;
    };
    return {
      folder: this.#paths.folder,
      exists: async (path) => {
        const { real, inside } = await this.#paths.locate(path);
        if (!inside || isSecretPath(path) || isSecretPath(real)) return true;
        const isThere = (await note(real)) !== "missing";
        // The path may now lead outside through a link.
        return isThere || !isSamePath(real, (await this.#paths.locate(real)).real);
      },
      read: async (path) => {
        const { real } = await this.#paths.demandInside(path);
        if (isSecretPath(real)) throw new ToolFailure(`${describePath(path)} is a secret`);
        await note(real);
        const file = await this.#load(real);
        if (file.kind === "text") return file.text;
        throw new ToolFailure(
          `${describePath(path)} ${file.kind === "missing" ? "does not exist" : file.why}`,
        );
      },
    };
  }
}

/** A source that fails leaves the file unchecked; the person should know. */
function toFinding(error: unknown): readonly Diagnostic[] {
  const reason = messageOf(error);
  const message = `The file could not be checked: ${reason}`;
  return [{ range: { start: START, end: START }, severity: "information", message }];
}
