import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isInside, type PosixPath, toNativePath, toPosixPath } from "@idewire/core";
import { platform } from "@idewire/node-server/internal";

/**
 * Parses a path from a person or a script: native, absolute or relative to the folder. A path that leads into
 * the folder through a symbolic link is resolved, as agents see it.
 * @throws Error for an invalid path
 */
export function readNativePath(folder: PosixPath, text: string): PosixPath {
  if (text === "") throw new Error('expected a path, got ""');
  if (text.includes("\0")) throw new Error("a path may not contain NUL");
  const native = resolve(toNativePath(folder, platform), text);
  const path = toPosix(native);
  if (isInside(folder, path, platform)) return path;
  const real = toPosix(realOrSame(native));
  return isInside(folder, real, platform) ? real : path;
}

/** Parses `file://` and a native path as agents write it, without percent-encoding; also accepts a plain path. */
export function readUriOrPath(folder: PosixPath, text: string): PosixPath {
  const path = text.replace(/^file:\/\/(localhost(?=\/))?/i, "");
  const isUri = path !== text;
  return readNativePath(folder, isUri && platform === "windows" ? path.replace(/^\//, "") : path);
}

function toPosix(native: string): PosixPath {
  const path = toPosixPath(native, platform);
  if (!path.ok) throw new Error(path.issue);
  return path.value;
}

/** Resolves the links of the folder; the file itself need not exist. */
function realOrSame(native: string): string {
  try {
    return join(realpathSync(dirname(native)), basename(native));
  } catch {
    return native;
  }
}
