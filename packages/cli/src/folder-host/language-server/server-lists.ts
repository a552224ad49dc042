import { clearTimeout, setTimeout } from "node:timers";
import { type Diagnostic, isInside, type PosixPath } from "@idewire/core";
import { fromFileUri, isSecretPath } from "@idewire/core/internal";
import { platform } from "@idewire/node-server/internal";
import { keyOf } from "@idewire/node-server/internal/files";
import type { ProviderFolder } from "../diagnostics-provider.ts";
import { KeptDiagnostics, type ListKind, MAX_OF_FILE } from "./kept-diagnostics.ts";
import { type PositionEncoding, splitLines, toUtf16 } from "./position-encoding.ts";
import { readDiagnostics } from "./protocol.ts";
import type { SyncedDocument } from "./synced-documents.ts";

/** Reports within this time are passed on together. */
const EMIT_MS = 50;

/** A list as the server sent it. */
export interface RawList {
  readonly path: PosixPath;
  readonly kind: ListKind;
  readonly items: readonly unknown[];
  readonly encoding: PositionEncoding;
  /** Set while the file is open in the server. */
  readonly document: SyncedDocument | undefined;
}

/** Converts a server's reports to lists by file, and reports which lists have changed. */
export class ServerLists {
  readonly #folder: ProviderFolder;
  readonly #name: string;
  readonly #kept = new KeptDiagnostics();
  /** The number of the last list of each file that had to be read from disk. */
  readonly #latest = new Map<string, number>();
  readonly #changed = new Map<string, PosixPath>();
  #lists = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param name the `source` of diagnostics without one */
  constructor(folder: ProviderFolder, name: string) {
    this.#folder = folder;
    this.#name = name;
  }

  of(path: PosixPath): readonly Diagnostic[] {
    return this.#kept.of(path);
  }

  /** Undefined for a file outside the folder, or a secret. */
  locate(uri: string): PosixPath | undefined {
    const path = fromFileUri(uri, platform);
    if (!path.ok || isSecretPath(path.value)) return undefined;
    return isInside(this.#folder.folder, path.value, platform) ? path.value : undefined;
  }

  keep(list: RawList): void {
    const { path, kind, items, encoding, document } = list;
    const found = readDiagnostics(items, { name: this.#name, max: MAX_OF_FILE });
    const key = keyOf(path);
    this.#lists += 1;
    if (encoding === "utf-16" || found.length === 0 || document !== undefined) {
      this.#latest.delete(key);
      this.#set(path, kind, inUtf16(found, document?.text ?? "", encoding));
    } else {
      this.#latest.set(key, this.#lists);
      void this.#convert(path, kind, { found, encoding, number: this.#lists });
    }
  }

  /** Clears the diagnostics of files that no longer exist, or of a server that has ended. */
  drop(path: PosixPath): void {
    for (const dropped of this.#kept.drop(path)) this.touch(dropped);
  }

  /** Reports a file although its list is unchanged. */
  touch(path: PosixPath): void {
    this.#changed.set(keyOf(path), path);
    this.#timer ??= setTimeout(() => this.#emit(), EMIT_MS);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#changed.clear();
  }

  async #convert(
    path: PosixPath,
    kind: ListKind,
    list: { found: readonly Diagnostic[]; encoding: PositionEncoding; number: number },
  ): Promise<void> {
    const { found, encoding, number } = list;
    const file = await this.#folder.read(path);
    const key = keyOf(path);
    if (this.#latest.get(key) !== number) return;
    this.#latest.delete(key);
    this.#set(path, kind, inUtf16(found, file?.text ?? "", encoding));
  }

  #set(path: PosixPath, kind: ListKind, list: readonly Diagnostic[]): void {
    if (this.#kept.set(path, kind, list)) this.touch(path);
  }

  #emit(): void {
    this.#timer = undefined;
    const paths = [...this.#changed.values()];
    this.#changed.clear();
    this.#folder.changed(paths);
  }
}

function inUtf16(
  list: readonly Diagnostic[],
  text: string,
  encoding: PositionEncoding,
): readonly Diagnostic[] {
  if (encoding === "utf-16" || list.length === 0) return list;
  const lines = splitLines(text);
  return list.map((item) => ({ ...item, range: toUtf16(lines, item.range, encoding) }));
}
