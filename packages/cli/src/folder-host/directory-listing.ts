import { lstat, readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { PosixPath } from "@idewire/core";
import { fromNative, isSamePath, joinPath, toNative } from "@idewire/node-server/internal/files";

/** The entries of a directory, by name; undefined when it does not exist, or a link leads elsewhere. */
export type DirectoryListing = ReadonlyMap<string, string> | undefined;

/** Lists a directory, with a version of each entry that differs after a change. */
export async function listDirectory(directory: PosixPath): Promise<DirectoryListing> {
  const native = toNative(directory);
  const real = await realpath(native).catch(() => undefined);
  if (real === undefined || !isSamePath(fromNative(real), directory)) return undefined;
  const names = await readdir(native).catch(() => undefined);
  if (names === undefined) return undefined;
  const entries = await Promise.all(
    names.map(async (name): Promise<readonly [string, string]> => {
      const stats = await lstat(join(native, name)).catch(() => undefined);
      return [name, stats ? `${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}` : ""];
    }),
  );
  return new Map(entries);
}

/** The paths that differ between two listings of a directory; the directory itself if it was created or deleted. */
export function changedPaths(
  directory: PosixPath,
  before: DirectoryListing,
  now: DirectoryListing,
): readonly PosixPath[] {
  if (before === undefined || now === undefined) return before === now ? [] : [directory];
  const names = new Set([...before.keys(), ...now.keys()]);
  return [...names]
    .filter((name) => before.get(name) !== now.get(name))
    .map((name) => joinPath(directory, name));
}
