import { constants } from "node:fs";
import { type FileHandle, lstat, open, readlink, realpath } from "node:fs/promises";
import type { PosixPath } from "@idewire/core";
import { fromNative, toNative } from "./native-path.ts";

/** How often the opened file must match its path's target, on systems that cannot report its path. */
const LOOKS = 3;

/** How often in a row a file may be replaced while it is checked. */
const TRIES = 5;

const DELETED = " (deleted)";

/** Windows lacks the last two, and does not need them. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** The part of an open file by which it is located, as in a `FileHandle` of `node:fs/promises`. */
export interface OpenHandle {
  readonly fd: number;
  stat(options: { readonly bigint: true }): Promise<FileIdentity>;
}

interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
}

/** The target of a path when it was opened. */
export interface OpenedHandle {
  readonly handle: FileHandle;
  /** The system's path of an open file, without links; its last path if it was deleted. */
  readonly real: PosixPath;
}

/**
 * Determines the path of the file behind a handle.
 * @param openedPath the path by which the file was opened
 * @returns undefined if the path now leads elsewhere
 */
export type FindOpened = (handle: OpenHandle, openedPath: string) => Promise<string | undefined>;

/**
 * Opens a path for reading and returns the real path of the opened file: since an earlier check the path may lead
 * elsewhere. Never waits for a pipe or a device. Other names of a hard link cannot be detected. The caller closes
 * the handle.
 * @throws the system's error; `ESTALE` when the path leads elsewhere at each check
 */
export async function openReal(
  path: PosixPath,
  find: FindOpened = findOpened,
): Promise<OpenedHandle> {
  const native = toNative(path);
  for (let tries = 0; tries < TRIES; tries++) {
    const handle = await open(native, OPEN_FLAGS);
    try {
      const real = await find(handle, native);
      if (real !== undefined) return { handle, real: fromNative(real) };
    } catch (error) {
      await handle.close();
      throw error;
    }
    await handle.close();
  }
  throw Object.assign(new Error(`${native} leads elsewhere each time`), { code: "ESTALE" });
}

/** Asks Linux for the path of the descriptor's file, without a race. */
export const findByDescriptor: FindOpened = async (handle, openedPath) => {
  const path = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined);
  if (path?.startsWith("/") !== true) return findByIdentity(handle, openedPath);
  if (!path.endsWith(DELETED)) return path;
  // It was replaced or deleted since, unless this is its name.
  return (await isAt(path, await handle.stat({ bigint: true })))
    ? path
    : path.slice(0, -DELETED.length);
};

/** Compares the open file with the current target of the path, a few times. */
export const findByIdentity: FindOpened = async (handle, openedPath) => {
  const opened = await handle.stat({ bigint: true });
  let found: string | undefined;
  for (let looks = 0; looks < LOOKS; looks++) {
    const real = await realpath(openedPath).catch(() => undefined);
    if (real === undefined || (found !== undefined && found !== real)) return undefined;
    if (!(await isAt(real, opened))) return undefined;
    found = real;
  }
  return found;
};

const findOpened: FindOpened = process.platform === "linux" ? findByDescriptor : findByIdentity;

/** A path to an open file or directory itself, even if its name leads elsewhere by now, if the system has such paths. */
export async function nameOf({ fd }: OpenHandle, real: PosixPath): Promise<string> {
  const descriptor = `/proc/self/fd/${fd}`;
  return readlink(descriptor).then(
    () => descriptor,
    () => toNative(real),
  );
}

async function isAt(path: string, { dev, ino }: FileIdentity): Promise<boolean> {
  const there = await lstat(path, { bigint: true }).catch(() => undefined);
  return there?.dev === dev && there.ino === ino;
}
