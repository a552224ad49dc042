import { type FileHandle, lstat, readdir, readlink, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, parse, sep } from "node:path";
import type { PosixPath } from "@idewire/core";
import {
  describePath,
  isInside,
  isSecretPath,
  notShared,
  parsePosixPath,
} from "@idewire/core/internal/base";
import { ToolFailure } from "@idewire/core/rpc";
import { platform } from "../process/platform.ts";
import { fromNative, isSamePath, toNative } from "./native-path.ts";
import { type FindOpened, openReal } from "./opened-file.ts";
import { MAX_TEXT_BYTES, readText, type TextFile, toRefusal } from "./text-file.ts";

/** As many symbolic links as Linux follows in one path. */
export const MAX_LINKS = 40;

/** A path from outside, and its target. */
export interface LocatedPath {
  /** As requested, with `.` and `..` resolved. */
  readonly path: PosixPath;
  /** With all symbolic links followed, even if nothing exists there. */
  readonly real: PosixPath;
  /** Whether `real` is in the folder. */
  readonly inside: boolean;
}

/** A file when it was opened: `real` and `inside` describe the opened file. */
export interface ReadFile extends LocatedPath {
  readonly file: TextFile;
}

/**
 * A secret file is read only under its own name: under another one it may have bypassed the exclusion.
 * @throws ToolFailure with the message for excluded files
 */
export function demandPlain(path: PosixPath, real: PosixPath): void {
  if (!isSecretPath(real) || isSecretPath(path)) return;
  throw notShared(path);
}

/**
 * Decides which paths are inside a folder after links are followed, and reads them: every file of the folder is
 * read here, so that the opened file is checked rather than its requested name.
 */
export class WorkspacePaths {
  /** A real path. */
  readonly folder: PosixPath;
  readonly #find: FindOpened | undefined;

  /** @param find determines the real path of an open file; the system's way by default */
  constructor(folder: PosixPath, find?: FindOpened) {
    this.folder = folder;
    this.#find = find;
  }

  /** @throws ToolFailure when it is not an absolute path, or contains a NUL */
  async locate(path: PosixPath): Promise<LocatedPath> {
    const normalised = parsePosixPath(path);
    if (!normalised.ok) throw new ToolFailure(normalised.issue);
    const native = toNative(normalised.value);
    const walk = () => this.#walk(native);
    const places = await realpath(native).then((real) => [real], walk);
    const [real = normalised.value, ...links] = places.map(fromNative);
    const isOut = (place: PosixPath) => !isInside(this.folder, place, platform);
    const outside = [real, ...links].find(isOut);
    const there = links.length === 0 ? real : normalised.value;
    return { path: normalised.value, real: outside ?? there, inside: outside === undefined };
  }

  /**
   * Reports every path outside alike, whether it exists or not.
   * @throws ToolFailure when it is outside
   */
  async demandInside(path: PosixPath): Promise<LocatedPath> {
    const located = await this.locate(path);
    if (located.inside) return located;
    throw this.#outside(located.path);
  }

  /**
   * Reads the target of a path, in the folder or not.
   * @throws ToolFailure for a path that is not absolute, or contains a NUL
   */
  async read(path: PosixPath, maxBytes: number = MAX_TEXT_BYTES): Promise<ReadFile> {
    const located = await this.locate(path);
    try {
      return await this.#open(located, async (inside, real, handle) => {
        return { ...located, inside, real, file: await readText(handle, maxBytes) };
      });
    } catch (error) {
      return { ...located, file: toRefusal(error) };
    }
  }

  /**
   * Reads a file of the folder; nothing is read if the opened file is outside.
   * @throws ToolFailure as `demandInside`
   */
  async readInside(path: PosixPath, maxBytes: number = MAX_TEXT_BYTES): Promise<ReadFile> {
    const located = await this.demandInside(path);
    const found = await this.#open(located, async (inside, real, handle) => {
      return inside ? { ...located, real, file: await readText(handle, maxBytes) } : undefined;
    }).catch(async (error: unknown) => {
      // The reason may be disclosed only for files in the folder.
      await this.demandInside(path);
      return { ...located, file: toRefusal(error) };
    });
    if (found === undefined) throw this.#outside(located.path);
    return found;
  }

  /**
   * Reads the file at a real path of the folder, unless a link was put in its way.
   * @throws ToolFailure as `demandInside`
   */
  async readReal(real: PosixPath, maxBytes?: number): Promise<TextFile> {
    const found = await this.readInside(real, maxBytes);
    return isSamePath(found.real, real) ? found.file : { kind: "missing" };
  }

  async #open<T>(
    located: LocatedPath,
    use: (inside: boolean, real: PosixPath, handle: FileHandle) => Promise<T>,
  ): Promise<T> {
    const { handle, real } = await openReal(located.real, this.#find);
    try {
      return await use(isInside(this.folder, real, platform), real, handle);
    } finally {
      await handle.close();
    }
  }

  #outside(path: PosixPath): ToolFailure {
    return new ToolFailure(
      `${describePath(path)} is outside the workspace folder ${this.folder}, or a link leads it there`,
    );
  }

  /**
   * For a path that does not exist: resolves it segment by segment, as the system would. Dangling links, such as a
   * loop, are treated like a missing file: if one of them leads out of the folder, the file is missing outside.
   * @returns one path; for dangling links, all of their targets from the first in the folder on
   */
  async #walk(native: string): Promise<readonly string[]> {
    const { root } = parse(native);
    const isIn = (path: string) => isInside(this.folder, fromNative(path), platform);
    const ahead = native.slice(root.length).split(sep);
    let current = root;
    const links: string[] = [];
    for (let segment = ahead.shift(); segment !== undefined; segment = ahead.shift()) {
      if (segment === "" || segment === ".") continue;
      if (segment === "..") {
        current = dirname(current);
        continue;
      }
      const next = await this.#nameOnDisk(current, segment);
      const target = await readlink(next).catch(() => undefined);
      if (target === undefined) {
        current = next;
        continue;
      }
      links.push(next);
      if (links.length > MAX_LINKS) return links.slice(Math.max(0, links.findIndex(isIn)));
      if (isAbsolute(target)) current = parse(target).root;
      ahead.unshift(...target.slice(isAbsolute(target) ? current.length : 0).split(sep));
    }
    return [current];
  }

  /** The directory's own spelling of a name: `ü` may be one character there, or two. */
  async #nameOnDisk(directory: string, name: string): Promise<string> {
    const path = join(directory, name);
    const composed = name.normalize("NFC");
    if (composed === name.normalize("NFD")) return path;
    if (!isInside(this.folder, fromNative(directory), platform)) return path;
    if (await lstat(path).catch(() => undefined)) return path;
    const names = await readdir(directory).catch(() => []);
    const found = names.find((other) => other.normalize("NFC") === composed);
    return found === undefined ? path : join(directory, found);
  }
}
