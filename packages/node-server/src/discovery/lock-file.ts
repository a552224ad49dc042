import { randomUUID } from "node:crypto";
import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  type DiscoveryFolder,
  type DiscoveryFormat,
  GENERATOR,
  type ServerFacts,
  type ServerFile,
} from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import { removeDeadSocket } from "../files/dead-sockets.ts";
import { fileSystemError, sweepDrafts, writePrivateFile } from "../files/private-file.ts";
import { readSmallFile } from "../files/small-file.ts";
import { codeOf } from "../process/error-code.ts";
import { isRunning, placeAnswers } from "../process/liveness.ts";
import { PublishedLockFile } from "./published-lock-file.ts";

export interface PublishOptions {
  readonly directory: string;
  /** For formats whose file names carry no meaning; arbitrary by default. */
  readonly unique?: string;
  /** Called once when the file is deleted again and again, and when it cannot be restored. */
  readonly warn: (error: Error) => void;
  /** The shortest time between two restorations; 10,000 by default. */
  readonly pauseMs?: number;
}

/**
 * Publishes a lock file for a place that already listens, and restores it when it is deleted.
 * @throws IdewireError `port-in-use` when another editor's lock file has that port as its name, `file-system` when
 * it cannot be written
 */
export async function publishLockFile(
  format: DiscoveryFormat,
  facts: ServerFacts,
  { directory, unique = randomUUID(), warn, pauseMs = 10_000 }: PublishOptions,
): Promise<PublishedLockFile> {
  const path = join(directory, format.fileName(facts, unique));
  const text = format.format(facts);
  if (await isSomebodyElses(format, path)) {
    throw new IdewireError("port-in-use", `${path} belongs to another editor; choose another port`);
  }
  const movedBy = variableOf(format.folder);
  await writePrivateFile(path, text, { movedBy });
  return new PublishedLockFile({ path, text, warn, pauseMs, movedBy });
}

/** The environment variable by which editor and agent may choose another folder. */
function variableOf({ base, variable }: DiscoveryFolder): string | undefined {
  return variable ?? (base === "temp" ? "TMPDIR" : undefined);
}

/**
 * Removes lock files of our crashed runs: those whose port or socket refuses connections, and whose process is not
 * known to be running.
 * @returns stale files of other programs, which may mislead agents
 */
export async function sweepLockFiles(
  format: DiscoveryFormat,
  directory: string,
): Promise<readonly Error[]> {
  let names: string[];
  try {
    names = await readdir(directory);
  } catch (error) {
    const isMissing = codeOf(error) === "ENOENT";
    const movedBy = variableOf(format.folder);
    return isMissing ? [] : [fileSystemError("list", directory, error, movedBy)];
  }
  await sweepDrafts(directory);
  const troubles = await Promise.all(names.map((name) => sweepLockFile(format, directory, name)));
  return troubles.filter((trouble) => trouble !== undefined);
}

async function sweepLockFile(
  format: DiscoveryFormat,
  directory: string,
  name: string,
): Promise<Error | undefined> {
  const named = format.match(name);
  if (named === undefined) return undefined;
  const path = join(directory, name);
  const file = await readLockFile(format, path);
  if (!file.ok) {
    if (named.port === undefined) return undefined;
    const advice = "remove it, unless its editor is just starting";
    return new IdewireError("file-system", `${path} is not a lock file: ${file.issue}; ${advice}`);
  }
  if (file.value.generator !== GENERATOR || isWriterRunning(file.value)) return undefined;
  const { port = named.port, socketPath } = file.value;
  if (port === undefined && socketPath === undefined) return undefined;
  const place = port === undefined ? { socketPath: socketPath ?? "" } : { port };
  if (await placeAnswers(place)) return undefined;
  await rm(path, { force: true }).catch(() => {});
  if (socketPath !== undefined) await removeDeadSocket(socketPath);
  return undefined;
}

/**
 * A process id alone proves nothing, except for a file that names no process to its agents: its port may be open
 * at another address.
 */
function isWriterRunning({ pid, generatorPid, started }: ServerFile): boolean {
  if (pid !== undefined && started === undefined) return false;
  return isRunning({ pid: pid ?? generatorPid, started });
}

/** An existing file that is not marked as ours, or is unreadable. */
async function isSomebodyElses(format: DiscoveryFormat, path: string): Promise<boolean> {
  const exists = await lstat(path).then(
    () => true,
    () => false,
  );
  if (!exists) return false;
  const file = await readLockFile(format, path);
  return !file.ok || file.value.generator !== GENERATOR;
}

async function readLockFile(format: DiscoveryFormat, path: string) {
  try {
    return format.read(await readSmallFile(path));
  } catch (error) {
    return { ok: false, issue: (error as Error).message } as const;
  }
}
