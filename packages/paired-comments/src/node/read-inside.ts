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
import { isSecretPath, type PosixPath } from "@idewire/core";
import { codeOf, denied, outside, refused } from "./refusals.ts";

/** Larger files are neither read nor written. */
export const largestFile: number = 50 * 1024 * 1024;
export const openFlags: number = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** Where Linux names what is open. */
export const openFiles = "/proc/self/fd";

/**
 * Where a path leads, by its deepest folder that is there.
 * @throws CommentError `FileAccessDenied` when that is outside the root, or secret
 */
export function insideOf(root: string, path: string, asked: string): string {
  const native = join(root, ...path.split("/"));
  let there = native;
  for (;;) {
    const real = realPathOf(there);
    if (real !== undefined) {
      const leads = join(real, native.slice(there.length));
      demandShared(root, leads, asked);
      return leads;
    }
    there = dirname(there);
  }
}

/**
 * A link may lead to a file whose own name would be refused.
 * @throws CommentError `FileAccessDenied`
 */
export function demandShared(root: string, native: string, asked: string): void {
  const isInside = native.startsWith(root + sep);
  const path = native.slice(root.length).split(sep).join("/") as PosixPath;
  if (!isInside || isSecretPath(path)) throw outside(asked);
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** A file that is open: a `FileHandle`, or what answers at once. */
interface OpenedFile {
  readonly fd: number;
  stat(): Stats | Promise<Stats>;
  readFile(encoding: "utf8"): string | Promise<string>;
  close(): void | Promise<void>;
}

/** Opens a file that is no link. */
export type OpenFile = (native: string) => OpenedFile | Promise<OpenedFile>;

/** Leaves the thread free while the disk is waited for. */
export const openAsync: OpenFile = (native) => open(native, openFlags);

/**
 * Keeps the thread until the file is read: of small files by the thousand, the threads that read behind a promise
 * take longer, and keep buffers.
 */
export const openSynchronously: OpenFile = (native) => {
  const fd = openSync(native, openFlags);
  return {
    fd,
    stat: () => fstatSync(fd),
    readFile: (encoding) => readFileSync(fd, encoding),
    close: () => closeSync(fd),
  };
};

/** The text of a file; undefined where there is none. What was opened is judged, not what was named. */
export async function readInside(
  { root, openFile }: { readonly root: string; readonly openFile: OpenFile },
  path: string,
  asked: string,
): Promise<string | undefined> {
  const file = await openInside(insideOf(root, path, asked), asked, openFile);
  if (file === undefined) return undefined;
  try {
    const facts = await file.stat();
    if (facts.isDirectory()) return undefined;
    if (!facts.isFile()) throw denied(asked, new Error("It is not a regular file"));
    if (facts.size > largestFile) throw denied(asked, new Error(`It has ${facts.size} bytes`));
    demandInside(root, file.fd, asked);
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

async function openInside(
  native: string,
  asked: string,
  openFile: OpenFile,
): Promise<OpenedFile | undefined> {
  try {
    return await openFile(native);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw code === "ELOOP" ? outside(asked) : refused(asked, error);
  }
}

/**
 * A folder may have become a link between the look and the opening; Linux says what was opened.
 * @throws CommentError `FileAccessDenied`
 */
export function demandInside(root: string, fd: number, asked: string): void {
  const path = openedPathOf(fd);
  if (path?.startsWith(sep)) demandShared(root, path, asked);
}

/** The system's own word, without links; after the path of a file that is gone it says so. */
export function openedPathOf(fd: number): string | undefined {
  try {
    return readlinkSync(`${openFiles}/${fd}`);
  } catch {
    return undefined;
  }
}
