import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import type { PosixPath } from "@idewire/core";
import { isSamePath, joinPath, nameOf, openReal } from "@idewire/node-server/internal/files";

/** Directories of build output and packages, whose files are not edited by hand. */
const SKIPPED = new Set(["node_modules", "dist"]);

/** How many directories are searched. */
const MAX_DIRECTORIES = 5_000;

/**
 * Scans a folder breadth first, in the order of names, without links and hidden directories.
 * @param onDirectory called before a directory is listed
 * @param maxDirectories how many are searched
 */
export async function* scanFolder(
  folder: PosixPath,
  onDirectory: (directory: PosixPath) => void,
  maxDirectories: number = MAX_DIRECTORIES,
): AsyncGenerator<readonly PosixPath[]> {
  const ahead: PosixPath[] = [folder];
  for (let seen = 0; seen < ahead.length && seen < maxDirectories; seen++) {
    const path = ahead[seen] as PosixPath;
    onDirectory(path);
    const entries = await listDirectory(path);
    for (const entry of entries) {
      if (entry.isDirectory() && !isSkipped(entry.name)) ahead.push(joinPath(path, entry.name));
    }
    const files = entries.filter((entry) => entry.isFile());
    yield files.map(({ name }) => joinPath(path, name));
  }
}

/** Whether a directory of this name is left out. */
export function isSkipped(name: string): boolean {
  return name.startsWith(".") || SKIPPED.has(name);
}

/** Only if the path is still a directory: links are not followed. */
async function listDirectory(path: PosixPath): Promise<readonly Dirent[]> {
  const opened = await openReal(path).catch(() => undefined);
  if (opened === undefined) return [];
  try {
    if (!isSamePath(opened.real, path)) return [];
    const here = await nameOf(opened.handle, path);
    const entries = await readdir(here, { withFileTypes: true }).catch(() => []);
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } finally {
    await opened.handle.close();
  }
}
