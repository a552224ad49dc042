import { randomBytes } from "node:crypto";
import type { Stats } from "node:fs";
import { lstat, mkdir, readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { IdewireError } from "@idewire/core/rpc";
import { type FileReplacement, replaceFile } from "./replace-file.ts";
import { readSmallFile } from "./small-file.ts";

export interface PrivateFileOptions extends Pick<FileReplacement, "onlyIfMissing"> {
  /** The environment variable by which the person may choose another place for it. */
  readonly movedBy?: string | undefined;
}

/**
 * Writes a file that only its user may read, atomically: it appears under its name when it is complete. A missing
 * directory is created for the user alone; an existing one keeps its mode.
 * @throws IdewireError `file-system`, with the file and the remedy
 */
export async function writePrivateFile(
  file: string,
  text: string,
  { movedBy, ...options }: PrivateFileOptions = {},
): Promise<void> {
  await makePrivateDirectory(dirname(file), movedBy);
  try {
    await replaceFile(file, { text, draft: `${file}.${draftName()}`, ...options });
  } catch (error) {
    throw fileSystemError("write", file, error, movedBy);
  }
}

/**
 * Reads a file with a secret. A file that others may read or write, or that another user owns, is refused: the
 * secret may be known, or planted.
 * @throws Error as the system does, or with the code `EINVAL`, `EFBIG` or `EACCES`
 */
export function readPrivateFile(file: string): Promise<string> {
  return readSmallFile(file, { inspect: demandPrivate });
}

const DAY_MS = 86_400_000;

/**
 * Whether a file was written within the last day; a time in the future is refused, as the file would never expire.
 */
export async function isOfLastDay(file: string, now: number = Date.now()): Promise<boolean> {
  const facts = await stat(file).catch(() => undefined);
  return facts !== undefined && Math.abs(now - facts.mtimeMs) <= DAY_MS;
}

function demandPrivate({ mode, uid }: Stats): void {
  if (process.getuid === undefined) return;
  const isPrivate = (mode & 0o077) === 0;
  if (uid === process.getuid() && isPrivate) return;
  const why = isPrivate ? `user ${uid} owns it` : `its mode is ${octal(mode)}, not 600`;
  throw Object.assign(new Error(why), { code: "EACCES" });
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8);
}

/** The age after which a draft cannot belong to a write in progress. */
const STALE_DRAFT_MS = 60_000;

/** The name of a file, or a socket, until it is complete; no other program uses such names. */
export function draftName(): string {
  return `idewire-${randomBytes(4).toString("hex")}.tmp`;
}

/** Removes drafts left in a directory by a crash; those that cannot be removed remain. */
export async function sweepDrafts(directory: string): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  for (const name of names) {
    if (!/(^|\.)idewire-[0-9a-f]{8}\.tmp$/.test(name)) continue;
    const path = join(directory, name);
    const facts = await lstat(path).catch(() => undefined);
    if (facts === undefined || Date.now() - facts.mtimeMs < STALE_DRAFT_MS) continue;
    await rm(path, { force: true }).catch(() => {});
  }
}

/** @throws IdewireError `file-system` */
export async function makePrivateDirectory(directory: string, movedBy?: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw fileSystemError("make", directory, error, movedBy);
  }
}

/**
 * An error with the file, the system's reason and the remedy.
 * @param movedBy the environment variable by which the person may choose another place
 */
export function fileSystemError(
  verb: string,
  file: string,
  cause: unknown,
  movedBy: string | undefined = variableOf(file),
): IdewireError {
  const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
  const advice = (ADVICE[code] ?? "see whether its directory is what you expect").replace(
    "{elsewhere}",
    movedBy === undefined ? "another" : `another with ${movedBy}`,
  );
  return new IdewireError("file-system", `Cannot ${verb} ${file} (${code}): ${advice}`, { cause });
}

/** The variable for the location of our own records. */
function variableOf(file: string): string | undefined {
  return /[\\/]idewire([\\/]|$)/.test(file) ? "XDG_STATE_HOME" : undefined;
}

const ADVICE: Readonly<Record<string, string>> = {
  EACCES: "make its directory yours and writable, or choose {elsewhere}",
  EPERM: "make its directory yours and writable, or choose {elsewhere}",
  EROFS: "its disk is read-only; choose {elsewhere}",
  ENOSPC: "its disk is full; make room on it",
  EDQUOT: "your disk quota is used up; make room",
  ENOTDIR: "a part of its path is a file; move that away",
  EEXIST: "a part of its path is a file; move that away",
  EISDIR: "a directory has its name; move that away",
};
