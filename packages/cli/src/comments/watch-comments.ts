import { existsSync } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import type { PosixPath } from "@idewire/core";
import { relativeTo } from "@idewire/core/internal";
import { fromNative, joinPath, toNative } from "@idewire/node-server/internal/files";
import { commentsSuffix } from "@idewire/paired-comments/internal";
import { FolderWatcher } from "../folder-host/folder-watcher.ts";

const unseen: ReadonlySet<string> = new Set([".git", "node_modules"]);

/** Watches a folder until it is closed. */
export interface CommentsWatch {
  close(): void;
}

/**
 * Reports changes of commented sources and of their comments, from any source. If a folder has more directories
 * than can be watched, changes in the deepest are not reported.
 * @param onchange gets the path of the source, relative to the folder
 */
export async function watchComments(
  folder: string,
  onchange: (filePath: string) => void,
): Promise<CommentsWatch> {
  const root = fromNative(await realpath(folder));
  const watcher = new FolderWatcher((paths) => {
    for (const path of paths) void changed(path);
  });
  const changed = async (path: PosixPath) => {
    const filePath = relativeTo(root, path);
    if (filePath === "" || filePath.split("/").some((name) => unseen.has(name))) return;
    if (filePath.endsWith(commentsSuffix)) onchange(filePath.slice(0, -commentsSuffix.length));
    else if (existsSync(toNative(path) + commentsSuffix)) onchange(filePath);
    else if (await isDirectory(path)) await watchTree(path, true);
  };
  /** The directories near the root first. Files of a new directory may have been created before its watch. */
  const watchTree = async (top: PosixPath, isNew: boolean) => {
    const waiting = [top];
    for (let directory = waiting.shift(); directory !== undefined; directory = waiting.shift()) {
      watcher.watch(directory);
      const entries = await readdir(toNative(directory), { withFileTypes: true }).catch(() => []);
      for (const entry of entries) {
        const path = joinPath(directory, entry.name);
        if (entry.isDirectory() && !unseen.has(entry.name)) waiting.push(path);
        else if (isNew && entry.isFile() && entry.name.endsWith(commentsSuffix)) void changed(path);
      }
    }
  };
  await watchTree(root, false);
  return watcher;
}

async function isDirectory(path: PosixPath): Promise<boolean> {
  return (await stat(toNative(path)).catch(() => undefined))?.isDirectory() === true;
}
