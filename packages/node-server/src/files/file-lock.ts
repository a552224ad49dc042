import { type FileHandle, lstat, open, rm } from "node:fs/promises";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { backOffMs, isObject, parseJson } from "@idewire/core/internal/base";
import { IdewireError } from "@idewire/core/rpc";
import { codeOf } from "../process/error-code.ts";
import { isProved, isRunning, ownIdentity, type ProcessIdentity } from "../process/liveness.ts";
import { fileSystemError } from "./private-file.ts";
import { readSmallFile } from "./small-file.ts";

const MAX_POLL_MS = 50;
/** How long a lock is passed on within this process before other processes have their turn. */
const TURN_MS = 100;
/** A lock gets its owner immediately: an older one without an owner was left by a crash in between. */
const STALE_MS = 1_000;
const MAX_LOCK_BYTES = 4096;

export interface FileLockOptions {
  /** How long to wait for another process. */
  readonly timeoutMs: number;
  /** The message if it is not released; `holder` describes that process, with its id if known. */
  readonly describe: (holder: string) => string;
  /**
   * For a lock in a foreign folder, where anybody may have created it: unless the start time of its process proves
   * that the process runs, it counts as stale after this time.
   */
  readonly unprovedMs?: number;
  /** The holder renews the time of the file; a file not renewed for this long is a stale lock. */
  readonly silentMs?: number;
}

/** The options that determine when a lock is stale. */
type LeftOver = Pick<FileLockOptions, "unprovedMs" | "silentMs">;

/** The waiting callers of this process, by lock; the file excludes other processes. */
const queues = new Map<string, Promise<void>>();
/** The time since which this process has held a lock continuously. */
const turns = new Map<string, number>();

/**
 * Waits for a lock and acquires it, within this process in the order of the calls; other processes have their
 * turns between. A lock whose process is gone is taken over.
 * @param lock a path reserved for the lock, in an existing directory
 * @returns releases it; further calls have no effect
 * @throws IdewireError `timeout` when another process holds it too long, `file-system`
 */
export async function takeFileLock(
  lock: string,
  options: FileLockOptions,
): Promise<() => Promise<void>> {
  const before = queues.get(lock) ?? Promise.resolve();
  let leave = () => {};
  const done = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const last = before.then(() => done);
  queues.set(lock, last);
  const end = () => {
    if (queues.get(lock) === last) {
      queues.delete(lock);
      turns.delete(lock);
    }
    leave();
  };
  await before;
  try {
    await letOthers(lock);
    await take(lock, options);
    if (!turns.has(lock)) turns.set(lock, performance.now());
  } catch (error) {
    end();
    throw error;
  }
  let holds = true;
  return async () => {
    if (!holds) return;
    holds = false;
    try {
      await release(lock);
    } finally {
      end();
    }
  };
}

/** One that was taken from us, which had shown nothing for too long, is another's. */
async function release(lock: string): Promise<void> {
  const owner = await ownerOf(lock).catch(() => undefined);
  if (owner === undefined || owner.pid === process.pid) await rm(lock, { force: true });
}

/** Long enough for a waiting process to check again; without a pause it would rarely find the lock free. */
async function letOthers(lock: string): Promise<void> {
  const since = turns.get(lock);
  if (since === undefined || performance.now() - since < TURN_MS) return;
  turns.delete(lock);
  await sleep(MAX_POLL_MS + 10);
}

async function take(
  lock: string,
  { timeoutMs, describe, ...leftOver }: FileLockOptions,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (let tries = 0; ; tries += 1) {
    if (await createGuard(lock)) return;
    const fault = (await isLeftOver(lock, leftOver)) ? await takeDown(lock, leftOver) : lock;
    if (fault === undefined) continue;
    if (performance.now() >= deadline) {
      throw new IdewireError("timeout", describe(await holderOf(fault)));
    }
    await sleep(backOffMs(tries, 1, MAX_POLL_MS));
  }
}

/**
 * Acquires the lock of a file in a foreign folder: a lock file there blocks changes for seconds at most, whatever
 * process it names.
 * @param file native path
 * @throws IdewireError `timeout`, `file-system`
 */
export function lockBeside(file: string): Promise<() => Promise<void>> {
  return takeFileLock(`${file}.lock`, {
    timeoutMs: 5_000,
    unprovedMs: 3_000,
    describe: (holder) => `${holder} is using the file: try again when it is done`,
  });
}

/**
 * Creates a lock file that names this process; false if it exists already.
 * @throws IdewireError `file-system`
 */
async function createGuard(guard: string): Promise<boolean> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(guard, "wx", 0o600);
    await handle.writeFile(JSON.stringify(ownIdentity()));
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    // On a full disk it exists without content, so its owner is unknown.
    if (handle !== undefined) await rm(guard, { force: true });
    throw fileSystemError("write", guard, error);
  } finally {
    await handle?.close();
  }
}

/**
 * Only one of several processes that find a stale lock removes it: the others might remove its successor.
 * @returns the guard that another one holds; undefined when it is worth another try
 */
async function takeDown(lock: string, leftOver: LeftOver): Promise<string | undefined> {
  const breaking = `${lock}.breaking`;
  if (await createGuard(breaking)) {
    try {
      if (await isLeftOver(lock, leftOver)) await rm(lock, { force: true });
    } finally {
      await rm(breaking, { force: true });
    }
  } else if (await isLeftOver(breaking, leftOver)) await rm(breaking, { force: true });
  else return breaking;
  return undefined;
}

async function isLeftOver(lock: string, { unprovedMs, silentMs }: LeftOver): Promise<boolean> {
  try {
    const facts = await lstat(lock);
    // Ours are small regular files.
    if (!facts.isFile()) return !facts.isDirectory();
    const owner = facts.size > MAX_LOCK_BYTES ? undefined : await ownerOf(lock);
    // A time in the future is not to be trusted either.
    const ageMs = Math.abs(Date.now() - facts.mtimeMs);
    if (owner === undefined) return ageMs > STALE_MS;
    if (!isRunning(owner) || (silentMs !== undefined && ageMs > silentMs)) return true;
    return unprovedMs !== undefined && ageMs > unprovedMs && !isProved(owner);
  } catch {
    // Released in the meantime.
    return false;
  }
}

/**
 * The process that a lock names; undefined if it names none yet.
 * @throws Error as the system does
 */
async function ownerOf(lock: string): Promise<ProcessIdentity | undefined> {
  const { pid, started } = await readLock(lock);
  if (typeof pid !== "number") return undefined;
  return { pid, ...(typeof started === "string" && { started }) };
}

/**
 * The members of a lock, unchecked; none while it has no content.
 * @throws Error as the system does
 */
export async function readLock(lock: string): Promise<Readonly<Record<string, unknown>>> {
  const text = await readSmallFile(lock);
  try {
    const value = parseJson(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** The running process that has a lock; undefined if none has it. */
export async function runningHolder(lock: string): Promise<number | undefined> {
  const owner = await ownerOf(lock).catch(() => undefined);
  return owner !== undefined && isRunning(owner) ? owner.pid : undefined;
}

async function holderOf(lock: string): Promise<string> {
  const facts = await lstat(lock).catch(() => undefined);
  // A directory is not removed recursively.
  if (facts?.isDirectory()) return `The folder ${basename(lock)}, which must be removed,`;
  const pid = (await ownerOf(lock).catch(() => undefined))?.pid;
  return pid === undefined ? "Another process" : `Process ${pid}`;
}
