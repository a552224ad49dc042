import type { PosixPath } from "@idewire/core";
import { comparisonKey, toNativePath, toPosixPath } from "@idewire/core/internal/base";
import { IdewireError } from "@idewire/core/rpc";
import { platform } from "../process/platform.ts";

export function toNative(path: PosixPath): string {
  return toNativePath(path, platform);
}

/** @throws IdewireError `invalid-argument` when it is not an absolute path */
export function fromNative(native: string): PosixPath {
  const path = toPosixPath(native, platform);
  if (path.ok) return path.value;
  throw new IdewireError("invalid-argument", path.issue);
}

/** The same for all spellings of one path. */
export function keyOf(path: PosixPath): string {
  return comparisonKey(path, platform);
}

export function isSamePath(one: PosixPath, other: PosixPath): boolean {
  return keyOf(one) === keyOf(other);
}

/** The directory of a file. */
export function parentOf(path: PosixPath): PosixPath {
  return (path.slice(0, path.lastIndexOf("/")) || "/") as PosixPath;
}

export function joinPath(directory: PosixPath, name: string): PosixPath {
  return `${directory === "/" ? "" : directory}/${name}` as PosixPath;
}
