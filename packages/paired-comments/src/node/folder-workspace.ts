import { randomBytes } from "node:crypto";
import { realpathSync } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { IdewireError } from "@idewire/core/rpc";
import { CommentError } from "../errors.ts";
import { commentsSuffix } from "../format/document.ts";
import type { CommentWorkspace, LockedFiles } from "../store/workspace.ts";
import { type OpenedFolder, openFolderOf } from "./opened-folder.ts";
import { insideOf, largestFile, openAsync, openSynchronously, readInside } from "./read-inside.ts";
import { codeOf, denied, refused } from "./refusals.ts";
import { stampOf } from "./stamp.ts";
import { createTurns } from "./turns.ts";

/**
 * Acquires the lock of a file, waiting for other holders; the result releases it.
 * @param file native path of the `.comments` file, stable until the lock is released
 * @throws IdewireError `timeout` if another process does not release it in time; the message is for people
 */
export type LockFile = (file: string) => Promise<() => Promise<void>>;

export interface FolderWorkspaceOptions {
  /** The root, a native path. */
  readonly folder: string;
  readonly lock: LockFile;
  /**
   * Reads files synchronously: faster for many small files, and without the buffers of Node's thread pool. Blocks
   * the thread while the disk or network is read, so it is not for programs with a user interface.
   */
  readonly readsSynchronously?: boolean | undefined;
}

const unseenFolders: ReadonlySet<string> = new Set([".git", "node_modules"]);

/**
 * A folder on disk as a workspace. Comments are written to a draft, synced and renamed, so that neither a reader
 * nor a crash ends up with half a file.
 * @throws Error if the folder does not exist
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
    // Concatenated, since paths are normalised: `join` would take a twentieth of the time of a listing.
    stamp: (path) => stampOf(root + sep + path, Date.now()),
    list: () => findCommented(root),
    findSources: (extensions) =>
      findFiles(root, (name) => extensions.includes(name.split(".").at(-1)?.toLowerCase() ?? "")),
    async createFolderOf(path) {
      const source = insideOf(root, path, path);
      await mkdir(dirname(source), { recursive: true }).catch((error: unknown) => {
        throw refused(path, error);
      });
    },
    async update(paths, change) {
      const held = new Map<string, HeldFile>();
      try {
        // Locked in sorted order, so that two moves cannot deadlock.
        for (const path of [...paths].sort()) held.set(path, await hold(root, path, lock));
        return await change(lockedFiles(held, read));
      } catch (error) {
        throw error instanceof CommentError ? error : refused(paths[0] ?? "", error);
      } finally {
        await Promise.all([...held.values()].map(({ release }) => release()));
      }
    },
  };
}

/** A locked `.comments` file. */
interface HeldFile {
  readonly folder: OpenedFolder;
  readonly release: () => Promise<void>;
}

/** @throws CommentError `FileAccessDenied` */
async function hold(root: string, path: string, lock: LockFile): Promise<HeldFile> {
  const folder = await openFolderOf(root, path + commentsSuffix, path);
  try {
    const unlock = await lock(folder.file);
    return { folder, release: () => unlock().finally(() => folder.close()) };
  } catch (error) {
    await folder.close();
    // The message of a time-out names the holder; system messages contain paths.
    throw codeOf(error) === "timeout" ? denied(path, error as Error) : refused(path, error);
  }
}

type ReadFile = (path: string, suffix: string) => Promise<string | undefined>;

/** Writes only into the folders that were opened with the locks. */
function lockedFiles(held: ReadonlyMap<string, HeldFile>, read: ReadFile): LockedFiles {
  const fileOf = (path: string) => {
    const folder = held.get(path)?.folder;
    if (folder === undefined) throw new IdewireError("invalid-argument", `${path} is not locked`);
    folder.demandInPlace();
    return folder.file;
  };
  return {
    read: (path) => read(path, commentsSuffix),
    async write(path, text) {
      const size = text === undefined ? 0 : Buffer.byteLength(text);
      if (size > largestFile) throw denied(path, new Error(tooLarge(size)));
      await write(fileOf(path), text);
    },
    async backup(path) {
      const text = await read(path, commentsSuffix);
      if (text === undefined) return;
      const time = new Date().toISOString().replace(/[:.]/g, "-");
      // Does not end in .comments, so that it is not listed as the comments of another source.
      await create(`${fileOf(path)}.backup-${time}`, text);
    },
  };
}

function tooLarge(size: number): string {
  return `The .comments file would have ${size} bytes, more than the limit of ${largestFile}; nothing was changed`;
}

async function write(file: string, text: string | undefined): Promise<void> {
  await sweepDrafts(file);
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
}

/** Removes drafts left by processes that ended; none is in use while the file is locked. */
async function sweepDrafts(file: string): Promise<void> {
  const folder = dirname(file);
  const beginning = `${basename(file)}.`;
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(beginning)) continue;
    const [, pid] = /^(\d+)-[\da-f]{12}\.draft$/.exec(name.slice(beginning.length)) ?? [];
    if (pid === undefined || isRunning(Number(pid))) continue;
    await rm(join(folder, name), { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) !== "ESRCH";
  }
}

/** Resolves once the file is synced to disk. */
async function create(file: string, text: string, mode?: number): Promise<void> {
  const handle = await open(file, "wx", mode);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The sources with comments, without backups and drafts of the original's programs. */
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
