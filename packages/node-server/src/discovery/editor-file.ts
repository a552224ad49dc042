import { realpath, stat } from "node:fs/promises";
import { isInside, type PathMap, type Platform, type PosixPath, toPosixPath } from "@idewire/core";
import type { DiscoveryFormat, ServerFile } from "@idewire/core/internal";
import { describeValue } from "@idewire/core/internal/base";
import type { Environment } from "../files/directories.ts";
import { readSmallFile } from "../files/small-file.ts";
import { codeOf } from "../process/error-code.ts";
import { isListed, isRunning, type KnownPlace, placeAnswers } from "../process/liveness.ts";
import { platform } from "../process/platform.ts";
import { findMachine, mayBeElsewhere } from "./editor-machine.ts";
import { windowsPathMap } from "./wsl.ts";

/** Why a lock file does not lead to an editor. */
export type StaleCode =
  /** Its name is not a port. */
  | "bad-name"
  | "unreadable"
  /** It is not a valid lock file. */
  | "invalid"
  /** Its transport is not the one that its agents use here. */
  | "transport"
  /** The process that it names does not exist. */
  | "dead-process"
  /** It names no process, and nothing listens at its port. */
  | "silent-port"
  | "silent-socket";

/** Why an agent in the working directory skips a running editor. */
export type ElsewhereCode =
  /** None of its folders contains the working directory. */
  | "other-folder"
  /** A folder would contain it if it were written as its real path. */
  | "linked-folder";

/** A reason, for programs and in words. */
export interface Reason<Code extends string> {
  readonly code: Code;
  /** Part of a sentence; names from outside are not sanitised. */
  readonly why: string;
}

/** A file in a directory of lock files, and how an agent judges it. */
export interface EditorFile {
  readonly path: string;
  /** Agents try the newest first. */
  readonly modifiedMs: number;
  readonly port?: number;
  /** Its content; it holds the token, which must never be shown. */
  readonly lock?: ServerFile;
  /** Set if no agent can use it. */
  readonly stale?: Reason<StaleCode>;
  /** Set if it does not match the working directory. */
  readonly elsewhere?: Reason<ElsewhereCode>;
  /** The longest of its folders that contains the working directory, as a path of this machine. */
  readonly folder?: PosixPath;
  /** The map from the editor's paths to those here, if they differ. */
  readonly pathMap?: PathMap;
  /** The machine where it listens. */
  readonly host: string;
}

/** The point of view from which lock files are judged. */
export interface Viewpoint {
  readonly format: DiscoveryFormat;
  readonly cwd: PosixPath;
  readonly env: Environment;
  /** Maps the paths of an editor on another machine to those here. */
  readonly pathMap?: PathMap | undefined;
}

/** Reads and judges one lock file. */
export async function readEditorFile(path: string, view: Viewpoint): Promise<EditorFile> {
  let modifiedMs = 0;
  const host = "127.0.0.1";
  try {
    modifiedMs = (await stat(path)).mtimeMs;
    const { format } = view;
    const read = format.read(await readSmallFile(path));
    const named = format.match(path.replace(/^.*[\\/]/, ""))?.port;
    const port = named ?? (read.ok ? read.value.port : undefined);
    const known = { path, modifiedMs, host, ...(port !== undefined && { port }) };
    if (!read.ok) return { ...known, stale: { code: "invalid", why: read.issue } };
    return { ...known, lock: read.value, ...(await assess(read.value, port, view)) };
  } catch (error) {
    const why = `it cannot be read (${codeOf(error)})`;
    return { path, modifiedMs, host, stale: { code: "unreadable", why } };
  }
}

type Judgement = Pick<EditorFile, "stale" | "elsewhere" | "folder" | "pathMap" | "host">;

async function assess(
  lock: ServerFile,
  port: number | undefined,
  view: Viewpoint,
): Promise<Judgement> {
  const host = port === undefined ? "127.0.0.1" : await findMachine({ lock, port, env: view.env });
  const match = await matchFolders(lock, view);
  const isMapped = match.pathMap !== undefined;
  const stale = await findStale(lock, { port, host, view, isMapped });
  return { host, ...(stale !== undefined && { stale }), ...match };
}

interface Circumstances {
  readonly port: number | undefined;
  readonly host: string;
  readonly view: Viewpoint;
  /** It has another path for the folder, so that it may run on another machine. */
  readonly isMapped: boolean;
}

async function findStale(
  { transport, pid, started, socketPath }: ServerFile,
  { port, host, view: { env, format }, isMapped }: Circumstances,
): Promise<Reason<StaleCode> | undefined> {
  const place = placeOf(port, host, socketPath);
  if (place === undefined) {
    return { code: "bad-name", why: "its name is not a port from 1 to 65535" };
  }
  if (transport !== format.transport) {
    const seen = transport === undefined ? "none" : describeValue(transport);
    const spoken = JSON.stringify(format.transport);
    return { code: "transport", why: `its transport is ${seen}, and only ${spoken} is spoken` };
  }
  if (pid === undefined) {
    if (await placeAnswers(place)) return undefined;
    const silence = "it names no process, and nothing answers";
    return port === undefined
      ? { code: "silent-socket", why: `${silence} at ${socketPath}` }
      : { code: "silent-port", why: `${silence} on port ${port}` };
  }
  // Agents check only the process id, so an ended process that is still listed misleads them.
  if (started === undefined ? isListed(pid) : isRunning({ pid, started })) return undefined;
  // Processes of another machine are not visible here, nor are those of Windows in WSL.
  const isElsewhere = isMapped || (await mayBeElsewhere({ env }));
  if (isElsewhere && (await placeAnswers(place))) return undefined;
  return { code: "dead-process", why: `process ${pid} is no longer running` };
}

function placeOf(
  port: number | undefined,
  host: string,
  socketPath: string | undefined,
): KnownPlace | undefined {
  if (port !== undefined) return { port, host };
  return socketPath === undefined ? undefined : { socketPath };
}

async function matchFolders(
  lock: ServerFile,
  view: Viewpoint,
): Promise<Pick<EditorFile, "elsewhere" | "folder" | "pathMap">> {
  const named = lock.workspaceFolders.map((folder) => toPath(folder, platform));
  const folder = longestAround(named, view.cwd);
  const pathMap = lock.runningInWindows === true ? windowsPathMap(view.env) : undefined;
  // Its paths are tried unchanged first: it may have published those of this side.
  if (folder !== undefined && pathMap === undefined) return { folder };
  for (const map of [pathMap, view.pathMap].filter((known) => known !== undefined)) {
    const seen = lock.workspaceFolders.map((native) => fromEditor(native, map));
    const mapped = longestAround(seen, view.cwd);
    if (mapped !== undefined) return { folder: mapped, pathMap: map };
  }
  if (folder !== undefined) return { folder };
  const words = lock.workspaceFolders.join(", ") || "no folder";
  for (const link of lock.workspaceFolders) {
    const real = await realpath(link).catch(() => link);
    if (longestAround([toPath(real, platform)], view.cwd) === undefined) continue;
    const why = `${link} is a link to ${real}, and agents compare real paths`;
    return { elsewhere: { code: "linked-folder", why } };
  }
  return { elsewhere: { code: "other-folder", why: `it is for ${words}` } };
}

function fromEditor(native: string, map: PathMap): PosixPath | undefined {
  const path = toPath(native, map.hostPlatform);
  return path && map.toAgent(path);
}

function toPath(native: string, writtenOn: Platform): PosixPath | undefined {
  const path = toPosixPath(native, writtenOn);
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
