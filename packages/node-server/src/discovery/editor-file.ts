import { realpath, stat } from "node:fs/promises";
import {
  type ClaudeLockFile,
  isInside,
  type PosixPath,
  parseClaudeLockFile,
  portOfLockFile,
  toPosixPath,
} from "@idewire/core";
import type { Environment } from "../directories.ts";
import { isAlive, portAnswers } from "../liveness.ts";
import { platform } from "../platform.ts";
import { readSmallFile } from "../small-file.ts";
import { fromWindowsFolder, wslDistribution } from "./wsl.ts";

/** Why a lock file leads no agent to an editor. */
export type StaleCode =
  /** Its name is no port. */
  | "bad-name"
  | "unreadable"
  /** It is not what a lock file has to be. */
  | "invalid"
  /** Not a WebSocket. */
  | "transport"
  /** The process that it names does not exist. */
  | "dead-process"
  /** It names no process, and nothing listens. */
  | "silent-port";

/** Why an agent in the working directory passes over an editor that lives. */
export type ElsewhereCode =
  /** None of its folders holds the working directory. */
  | "other-folder"
  /** A folder would, were it written by its real path. */
  | "linked-folder";

/** A reason, for programs and in words. */
export interface Reason<Code extends string> {
  readonly code: Code;
  /** Part of a sentence; names from outside stand in it as they are. */
  readonly why: string;
}

/** A file in a directory of lock files, and what an agent makes of it. */
export interface EditorFile {
  readonly path: string;
  /** Agents look at the newest first. */
  readonly modifiedMs: number;
  readonly port?: number;
  /** What it says; it holds the token, which is never to be shown. */
  readonly lock?: ClaudeLockFile;
  /** Set when no agent can use it. */
  readonly stale?: Reason<StaleCode>;
  /** Set when it is not for the working directory. */
  readonly elsewhere?: Reason<ElsewhereCode>;
  /** The longest of its folders that the working directory is in. */
  readonly folder?: PosixPath;
}

/** Reads and judges one lock file. */
export async function readEditorFile(
  path: string,
  cwd: PosixPath,
  env: Environment,
): Promise<EditorFile> {
  let modifiedMs = 0;
  try {
    modifiedMs = (await stat(path)).mtimeMs;
    const read = parseClaudeLockFile(await readSmallFile(path));
    const port = portOfLockFile(path.replace(/^.*[\\/]/, ""));
    const known = { path, modifiedMs, ...(port !== undefined && { port }) };
    if (!read.ok) return { ...known, stale: { code: "invalid", why: read.issue } };
    return { ...known, lock: read.value, ...(await judge(read.value, { port, cwd, env })) };
  } catch (error) {
    const why = `it cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown error"})`;
    return { path, modifiedMs, stale: { code: "unreadable", why } };
  }
}

interface Circumstances {
  readonly port: number | undefined;
  readonly cwd: PosixPath;
  readonly env: Environment;
}

async function judge(
  lock: ClaudeLockFile,
  circumstances: Circumstances,
): Promise<Pick<EditorFile, "stale" | "elsewhere" | "folder">> {
  const stale = await findStale(lock, circumstances);
  const match = await matchFolders(lock, circumstances);
  return { ...(stale !== undefined && { stale }), ...match };
}

async function findStale(
  { transport, pid }: ClaudeLockFile,
  { port, env }: Circumstances,
): Promise<Reason<StaleCode> | undefined> {
  if (port === undefined) {
    return { code: "bad-name", why: "its name is not a port from 1 to 65535" };
  }
  if (transport !== "ws") {
    const seen = transport === undefined ? "none" : JSON.stringify(transport);
    return { code: "transport", why: `its transport is ${seen}, and only "ws" is spoken` };
  }
  if (pid === undefined) {
    if (await portAnswers(port)) return undefined;
    return { code: "silent-port", why: `it names no process, and nothing answers on port ${port}` };
  }
  if (isAlive(pid)) return undefined;
  // A process of Windows is not seen from WSL.
  if (wslDistribution(env) !== undefined && (await portAnswers(port))) return undefined;
  return { code: "dead-process", why: `process ${pid} does not run any more` };
}

async function matchFolders(
  lock: ClaudeLockFile,
  circumstances: Circumstances,
): Promise<Pick<EditorFile, "elsewhere" | "folder">> {
  const folders = foldersOf(lock, circumstances.env);
  const folder = longestAround(folders.map(toPath), circumstances.cwd);
  if (folder !== undefined) return { folder };
  const named = lock.workspaceFolders.join(", ") || "no folder";
  for (const link of folders) {
    const real = await realpath(link).catch(() => link);
    if (longestAround([toPath(real)], circumstances.cwd) === undefined) continue;
    const why = `${link} is a link to ${real}, and agents compare real paths`;
    return { elsewhere: { code: "linked-folder", why } };
  }
  return { elsewhere: { code: "other-folder", why: `it is for ${named}` } };
}

/** Native to where we run. */
function foldersOf(lock: ClaudeLockFile, env: Environment): readonly string[] {
  const distribution = wslDistribution(env);
  if (distribution === undefined || lock.runningInWindows !== true) return lock.workspaceFolders;
  return lock.workspaceFolders
    .map((folder) => fromWindowsFolder(folder, distribution))
    .filter((folder) => folder !== undefined);
}

function toPath(native: string): PosixPath | undefined {
  const path = toPosixPath(native, platform);
  return path.ok ? path.value : undefined;
}

function longestAround(
  folders: readonly (PosixPath | undefined)[],
  cwd: PosixPath,
): PosixPath | undefined {
  return folders
    .filter((folder) => folder !== undefined)
    .filter((folder) => isInside(folder, cwd, platform))
    .sort((left, right) => right.length - left.length)[0];
}
