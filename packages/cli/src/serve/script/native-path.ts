import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isInside, type PosixPath, toNativePath, toPosixPath } from "@idewire/core";
import { platform } from "@idewire/node-server/internal";

/**
 * Reads a path as a person or a script gives it: native, absolute or relative to the folder. One
 * that leads into the folder through a symbolic link is given as agents know it.
 * @throws Error when it is no path at all
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

/**
 * Reads `file://` and a native path as agents write it, which is not percent-encoded; a mere path is
 * taken as well.
 */
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

/** The folder's links are followed; the file itself need not exist. */
function realOrSame(native: string): string {
  try {
    return join(realpathSync(dirname(native)), basename(native));
  } catch {
    return native;
  }
}
