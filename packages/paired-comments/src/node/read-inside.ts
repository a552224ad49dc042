import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import type { PosixPath } from "@idewire/core";
import { isSecretPath } from "@idewire/core/internal";
import { codeOf, denied, outside, refused } from "./refusals.ts";

/** Larger files are neither read nor written. */
export const largestFile: number = 50 * 1024 * 1024;
export const openFlags: number = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** Paths of open files, on Linux. */
export const openFiles = "/proc/self/fd";

/**
 * Resolves a path by its deepest existing folder.
 * @throws CommentError `FileAccessDenied` if it is outside the root, or secret
 */
export function insideOf(root: string, path: string, shownPath: string): string {
  const native = join(root, ...path.split("/"));
  let there = native;
  for (;;) {
    const real = realPathOf(there);
    if (real !== undefined) {
      const leads = join(real, native.slice(there.length));
      demandShared(root, leads, shownPath);
      return leads;
    }
    there = dirname(there);
  }
}

/**
 * Checks the target of a link, whose own name may be denied.
 * @throws CommentError `FileAccessDenied`
 */
export function demandShared(root: string, native: string, shownPath: string): void {
  const isInside = native.startsWith(root + sep);
  const path = native.slice(root.length).split(sep).join("/") as PosixPath;
  if (!isInside || isSecretPath(path)) throw outside(shownPath);
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** An open file: a `FileHandle`, or its synchronous counterpart. */
interface OpenedFile {
  readonly fd: number;
  stat(): Stats | Promise<Stats>;
  readFile(): Buffer | Promise<Buffer>;
  close(): void | Promise<void>;
}

/** Opens a file, unless it is a link. */
export type OpenFile = (native: string) => OpenedFile | Promise<OpenedFile>;

/** Opens without blocking the thread. */
export const openAsync: OpenFile = (native) => open(native, openFlags);

/**
 * Blocks the thread until the file is read: for thousands of small files, Node's thread pool takes longer and
 * retains buffers.
 */
export const openSynchronously: OpenFile = (native) => {
  const fd = openSync(native, openFlags);
  return {
    fd,
    stat: () => fstatSync(fd),
    readFile: () => readFileSync(fd),
    close: () => closeSync(fd),
  };
};

/** The text of a file; undefined if it does not exist. Checks the opened file rather than its path. */
export async function readInside(
  { root, openFile }: { readonly root: string; readonly openFile: OpenFile },
  path: string,
  shownPath: string,
): Promise<string | undefined> {
  const file = await openInside(insideOf(root, path, shownPath), shownPath, openFile);
  if (file === undefined) return undefined;
  try {
    const facts = await file.stat();
    if (facts.isDirectory()) return undefined;
    if (!facts.isFile()) throw denied(shownPath, new Error("It is not a regular file"));
    if (facts.size > largestFile) throw denied(shownPath, new Error(`It has ${facts.size} bytes`));
    demandInside(root, file.fd, shownPath);
    return decode(await file.readFile());
  } finally {
    await file.close();
  }
}

/** UTF-8, or UTF-16 by its byte order mark, which stays in the text. */
function decode(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return bytes.toString("utf16le");
  if (first !== 0xfe || second !== 0xff) return bytes.toString("utf8");
  return bytes
    .subarray(0, bytes.length & ~1)
    .swap16()
    .toString("utf16le");
}

async function openInside(
  native: string,
  shownPath: string,
  openFile: OpenFile,
): Promise<OpenedFile | undefined> {
  try {
    return await openFile(native);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw code === "ELOOP" ? outside(shownPath) : refused(shownPath, error);
  }
}

/**
 * Checks which file was opened, on Linux: a folder may have become a link since its path was checked.
 * @throws CommentError `FileAccessDenied`
 */
export function demandInside(root: string, fd: number, shownPath: string): void {
  const path = openedPathOf(fd);
  if (path?.startsWith(sep)) demandShared(root, path, shownPath);
}

/** The system's path of an open file, without links; with the suffix ` (deleted)` if it was removed. */
export function openedPathOf(fd: number): string | undefined {
  try {
    return readlinkSync(`${openFiles}/${fd}`);
  } catch {
    return undefined;
  }
}
