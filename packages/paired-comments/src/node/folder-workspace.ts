import { randomBytes } from "node:crypto";
import { constants, realpathSync } from "node:fs";
import { type FileHandle, open, readdir, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { CommentError } from "../errors.ts";
import { commentsSuffix } from "../format/document.ts";
import type { CommentWorkspace, LockedFiles } from "../store/workspace.ts";

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
}

const largestFile = 50 * 1024 * 1024;
const unseenFolders: ReadonlySet<string> = new Set([".git", "node_modules"]);

/**
 * A folder on the disk as a workspace. Comments are written to a draft that takes the file's name once it
 * is on the disk, so that no reader sees half a file and no crash leaves one.
 * @throws Error when the folder is not there
 */
export function createFolderWorkspace({ folder, lock }: FolderWorkspaceOptions): CommentWorkspace {
  const root = realpathSync(folder);
  const locked: LockedFiles = {
    read: (path) => readInside(root, path + commentsSuffix, path),
    write: (path, text) => writeInside(root, path, text),
    backup: (path) => backUp(root, path),
  };
  return {
    readSource: (path) => readInside(root, path, path),
    readComments: (path) => readInside(root, path + commentsSuffix, path),
    list: () => findCommented(root),
    findSources: (extensions) =>
      findFiles(root, (name) => extensions.includes(name.split(".").at(-1)?.toLowerCase() ?? "")),
    async update(paths, change) {
      const releases: (() => Promise<void>)[] = [];
      try {
        // In one order, so that two moves cannot wait for each other.
        for (const path of [...paths].sort()) {
          const file = await insideOf(root, path + commentsSuffix, path);
          releases.push(
            await lock(file).catch((error: unknown) =>
              Promise.reject(denied(path, error as Error)),
            ),
          );
        }
        return await change(locked);
      } catch (error) {
        throw error instanceof CommentError ? error : refused(paths[0] ?? "", error);
      } finally {
        for (const release of releases.reverse()) await release();
      }
    },
  };
}

/**
 * Where a path leads, by its deepest folder that is there.
 * @throws CommentError `FileAccessDenied` when that is outside the root
 */
async function insideOf(root: string, path: string, asked: string): Promise<string> {
  const native = join(root, ...path.split("/"));
  let there = native;
  for (;;) {
    const real = await realpath(there).catch(() => undefined);
    if (real !== undefined) {
      if (real === root || real.startsWith(root + sep))
        return join(real, native.slice(there.length));
      throw outside(asked);
    }
    there = dirname(there);
  }
}

/** The text of a file; undefined where there is none. What was opened is judged, not what was named. */
async function readInside(root: string, path: string, asked: string): Promise<string | undefined> {
  const native = await insideOf(root, path, asked);
  let file: FileHandle;
  try {
    file = await open(native, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw code === "ELOOP" ? outside(asked) : refused(asked, error);
  }
  try {
    const facts = await file.stat();
    if (facts.isDirectory()) return undefined;
    if (!facts.isFile()) throw denied(asked, new Error("It is not a regular file"));
    if (facts.size > largestFile) throw denied(asked, new Error(`It has ${facts.size} bytes`));
    await stillInside(root, file, asked);
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

/** A folder may have become a link between the look and the opening; Linux says what was opened. */
async function stillInside(root: string, file: FileHandle, asked: string): Promise<void> {
  const opened = await realpath(`/proc/self/fd/${file.fd}`).catch(() => undefined);
  const isOutside = opened?.startsWith(sep) === true && !opened.startsWith(root + sep);
  if (isOutside && !opened.startsWith("/proc/")) throw outside(asked);
}

async function writeInside(root: string, path: string, text: string | undefined): Promise<void> {
  const file = await insideOf(root, path + commentsSuffix, path);
  if (text === undefined) return rm(file, { force: true });
  const draft = `${file}.${process.pid}-${randomBytes(6).toString("hex")}.draft`;
  const mode = await stat(file).then(
    (facts) => facts.mode & 0o777,
    () => 0o666,
  );
  const handle = await open(draft, "wx", mode);
  try {
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function backUp(root: string, path: string): Promise<void> {
  const text = await readInside(root, path + commentsSuffix, path);
  if (text === undefined) return;
  const time = new Date().toISOString().replace(/[:.]/g, "-");
  // Not ending in .comments: it is no file of comments of another source.
  const file = await insideOf(root, `${path}${commentsSuffix}.backup-${time}`, path);
  const handle = await open(file, "wx");
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
): Promise<readonly string[]> {
  const found: string[] = [];
  const visit = async (path: string): Promise<void> => {
    const entries = await readdir(join(root, path), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const inner = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory() && !unseenFolders.has(entry.name)) await visit(inner);
      else if (entry.isFile() && isWanted(entry.name)) found.push(inner);
    }
  };
  await visit("");
  return found;
}

function isCommentsFile(name: string): boolean {
  const source = name.slice(0, -commentsSuffix.length);
  return (
    name.endsWith(commentsSuffix) &&
    source !== "" &&
    !source.endsWith(commentsSuffix) &&
    !/\.backup-[\dTZ-]+$|\.tmp\.\d+\.\d+$/.test(source)
  );
}

function outside(filePath: string): CommentError {
  const suggestion = "The path leads out of the workspace, or is a link";
  return new CommentError("FileAccessDenied", { filePath, suggestion });
}

function denied(filePath: string, error: Error): CommentError {
  return new CommentError("FileAccessDenied", { filePath, suggestion: error.message });
}

/** What the system said, without its paths. */
function refused(filePath: string, error: unknown): unknown {
  const code = codeOf(error);
  const suggestion = reasons.get(code);
  if (suggestion === undefined) return error;
  return new CommentError("FileAccessDenied", { filePath, reason: code, suggestion });
}

const reasons: ReadonlyMap<string, string> = new Map([
  ["EACCES", "The file or its folder may not be read or written: change its permissions"],
  ["EPERM", "The file or its folder may not be read or written: change its permissions"],
  ["EROFS", "The folder is read-only"],
  ["ENOSPC", "The disk is full; nothing has been changed"],
  ["EDQUOT", "The disk quota is used up; nothing has been changed"],
  ["ENOENT", "The folder of the file does not exist"],
  ["ENAMETOOLONG", "The name is too long for this disk"],
]);

function codeOf(error: unknown): string {
  const { code } = Object(error) as { readonly code?: unknown };
  return typeof code === "string" ? code : "";
}
