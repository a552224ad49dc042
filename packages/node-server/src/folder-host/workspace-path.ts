import { lstat, readdir, readlink, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, parse, sep } from "node:path";
import { isInside, type PosixPath, parsePosixPath, ToolFailure } from "@idewire/core";
import { fromNative, platform, toNative } from "./native-path.ts";

/** As many symbolic links as Linux follows in one path. */
const MAX_LINKS = 40;

/** A path from outside, and what it stands for. */
export interface LocatedPath {
  /** As it was asked for, without dots. */
  readonly path: PosixPath;
  /** With all symbolic links followed, also where nothing is there. */
  readonly real: PosixPath;
  /** Whether `real` is in the folder. */
  readonly inside: boolean;
}

/** Tells what is in one folder, whatever symbolic links say. */
export class WorkspacePaths {
  /** A real path. */
  readonly folder: PosixPath;

  constructor(folder: PosixPath) {
    this.folder = folder;
  }

  /** @throws ToolFailure when it is no absolute path, or has a NUL */
  async locate(path: PosixPath): Promise<LocatedPath> {
    const normalised = parsePosixPath(path);
    if (!normalised.ok) throw new ToolFailure(normalised.issue);
    const native = toNative(normalised.value);
    const real = await realpath(native).catch(() => this.#walk(native));
    if (real === undefined)
      return { path: normalised.value, real: normalised.value, inside: false };
    const realPath = fromNative(real);
    const inside = isInside(this.folder, realPath, platform);
    return { path: normalised.value, real: realPath, inside };
  }

  /**
   * Says the same of all that is outside, whether it exists or not.
   * @throws ToolFailure when it is outside
   */
  async demandInside(path: PosixPath): Promise<LocatedPath> {
    const located = await this.locate(path);
    if (located.inside) return located;
    throw new ToolFailure(
      `${located.path} is outside the workspace folder ${this.folder}, or a link leads it there`,
    );
  }

  /** For what does not exist: goes segment by segment, as the system would; undefined in a loop. */
  async #walk(native: string): Promise<string | undefined> {
    const { root } = parse(native);
    const ahead = native.slice(root.length).split(sep);
    let current = root;
    let links = 0;
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
      links += 1;
      if (links > MAX_LINKS) return undefined;
      if (isAbsolute(target)) current = parse(target).root;
      ahead.unshift(...target.slice(isAbsolute(target) ? current.length : 0).split(sep));
    }
    return current;
  }

  /** The spelling that the directory has: `ü` may be one character there, or two. */
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
