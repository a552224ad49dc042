import { randomBytes } from "node:crypto";
import { realpathSync } from "node:fs";
import { open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { CommentError } from "../errors.ts";
import { commentsSuffix } from "../format/document.ts";
import type { CommentWorkspace, LockedFiles } from "../store/workspace.ts";
import {
  actBeside,
  type FolderIdentity,
  folderOf,
  insideOf,
  largestFile,
  openAsync,
  openSynchronously,
  readInside,
  type TargetFile,
} from "./read-inside.ts";
import { denied, refused } from "./refusals.ts";
import { stampOf } from "./stamp.ts";
import { createTurns } from "./turns.ts";

/**
 * Waits until nobody else has the lock of a file, and takes it; the result gives it back.
 * @param file the `.comments` file, by its native path
 * @throws Error when another process does not let go in time
 */
export type LockFile = (file: string) => Promise<() => Promise<void>>;

export interface FolderWorkspaceOptions {
  /** The root, a native path. */
  readonly folder: string;
  readonly lock: LockFile;
  /**
   * Reads files synchronously: many small ones sooner, and without the buffers of Node's threads. The thread waits
   * as long as the disk, or the network behind it, takes for a file: not for a program with windows.
   */
  readonly readsSynchronously?: boolean | undefined;
}

const unseenFolders: ReadonlySet<string> = new Set([".git", "node_modules"]);

/**
 * A folder on the disk as a workspace. Comments are written to a draft that takes the file's name once it
 * is on the disk, so that no reader sees half a file and no crash leaves one.
 * @throws Error when the folder is not there
 */
export function createFolderWorkspace({
  folder,
  lock,
  readsSynchronously = false,
}: FolderWorkspaceOptions): CommentWorkspace {
  const root = realpathSync(folder);
  const openFile = readsSynchronously ? openSynchronously : openAsync;
  const yieldTurn = createTurns();
  const read: ReadFile = async (path, suffix) => {
    await yieldTurn();
    return readInside({ root, openFile }, path + suffix, path);
  };
  return {
    readSource: (path) => read(path, ""),
    readComments: (path) => read(path, commentsSuffix),
    // Paths are normalised: `join` would take a twentieth of the time of a list.
    stamp: (path) => stampOf(root + sep + path, Date.now()),
    list: () => findCommented(root),
    findSources: (extensions) =>
      findFiles(root, (name) => extensions.includes(name.split(".").at(-1)?.toLowerCase() ?? "")),
    async update(paths, change) {
      const releases: (() => Promise<void>)[] = [];
      const folders = new Map<string, FolderIdentity | undefined>();
      try {
        // In one order, so that two moves cannot wait for each other.
        for (const path of [...paths].sort()) {
          const file = insideOf(root, path + commentsSuffix, path);
          releases.push(
            await lock(file).catch((error: unknown) =>
              Promise.reject(denied(path, error as Error)),
            ),
          );
          folders.set(path, folderOf(file));
        }
        return await change(lockedFiles(root, folders, read));
      } catch (error) {
        throw error instanceof CommentError ? error : refused(paths[0] ?? "", error);
      } finally {
        for (const release of releases.reverse()) await release();
      }
    },
  };
}

type ReadFile = (path: string, suffix: string) => Promise<string | undefined>;

/** @param folders where the locks are: what was read there is not written into others */
function lockedFiles(
  root: string,
  folders: ReadonlyMap<string, FolderIdentity | undefined>,
  read: ReadFile,
): LockedFiles {
  const target = (path: string, suffix: string): TargetFile => ({
    native: insideOf(root, path + suffix, path),
    asked: path,
    folder: folders.get(path),
  });
  return {
    read: (path) => read(path, commentsSuffix),
    async write(path, text) {
      const size = text === undefined ? 0 : Buffer.byteLength(text);
      if (size > largestFile) throw denied(path, new Error(tooLarge(size)));
      return writeInside(root, target(path, commentsSuffix), text);
    },
    async backup(path) {
      const text = await read(path, commentsSuffix);
      if (text === undefined) return;
      const time = new Date().toISOString().replace(/[:.]/g, "-");
      // Not ending in .comments: it is no file of comments of another source.
      const copy = target(path, `${commentsSuffix}.backup-${time}`);
      await actBeside(root, copy, (folder) => create(join(folder, basename(copy.native)), text));
    },
  };
}

function tooLarge(size: number): string {
  return `Its file of comments would have ${size} bytes, and more than ${largestFile} are not read: nothing has been changed`;
}

function writeInside(root: string, target: TargetFile, text: string | undefined): Promise<void> {
  return actBeside(root, target, async (folder) => {
    const file = join(folder, basename(target.native));
    if (text === undefined) return rm(file, { force: true });
    const mode = await stat(file).then(
      (facts) => facts.mode & 0o777,
      () => 0o666,
    );
    const draft = `${file}.${process.pid}-${randomBytes(6).toString("hex")}.draft`;
    try {
      await create(draft, text, mode);
      await rename(draft, file);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  });
}

/** Resolves when it is on the disk. */
async function create(file: string, text: string, mode?: number): Promise<void> {
  const handle = await open(file, "wx", mode);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The sources that have comments; backups and drafts of the original's programs are none. */
async function findCommented(root: string): Promise<readonly string[]> {
  const files = await findFiles(root, isCommentsFile);
  return files.map((path) => path.slice(0, -commentsSuffix.length)).sort();
}

async function findFiles(
  root: string,
  isWanted: (name: string) => boolean,
  folder = "",
): Promise<readonly string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
  const prefix = folder === "" ? "" : `${folder}/`;
  const found: string[] = [];
  const inner: Promise<readonly string[]>[] = [];
  for (const entry of entries) {
    const { name } = entry;
    if (entry.isFile() && isWanted(name)) found.push(prefix + name);
    if (!entry.isDirectory() || unseenFolders.has(name)) continue;
    inner.push(findFiles(root, isWanted, prefix + name));
  }
  return [...found, ...(await Promise.all(inner)).flat()];
}

function isCommentsFile(name: string): boolean {
  if (!name.endsWith(commentsSuffix)) return false;
  const source = name.slice(0, -commentsSuffix.length);
  return (
    source !== "" &&
    !source.endsWith(commentsSuffix) &&
    !/\.backup-[\dTZ-]+$|\.tmp\.\d+\.\d+$/.test(source)
  );
}
