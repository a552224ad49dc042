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
/** How long this process passes a lock from one to the next before others have their turn. */
const TURN_MS = 100;
/** A lock gets its owner at once: one without that is older was left by a crash between the two. */
const STALE_MS = 1_000;
const MAX_LOCK_BYTES = 4096;

export interface FileLockOptions {
  /** How long another process is waited for. */
  readonly timeoutMs: number;
  /** The message if it is not released; `holder` describes that process, by its number if known. */
  readonly describe: (holder: string) => string;
  /**
   * The lock is in a folder from elsewhere, where anybody may have put one: without proof that its process runs
   * by the start of that process, it is left over after this time.
   */
  readonly unprovedMs?: number;
  /** The process shows by the time of the file that it goes on: one that has not for so long has left it over. */
  readonly silentMs?: number;
}

/** What of the options says when a lock is left over. */
type LeftOver = Pick<FileLockOptions, "unprovedMs" | "silentMs">;

/** Who waits in this process, by lock: the file is between processes. */
const queues = new Map<string, Promise<void>>();
/** Since when this process has had a lock without a pause. */
const turns = new Map<string, number>();

/**
 * Waits for a lock and takes it, in this process in the order of the calls; other processes have their turns
 * between. A lock whose process is gone is taken over.
 * @param lock a path where nothing else is kept, in a directory that is there
 * @returns gives it back; called again, it does nothing
 * @throws IdewireError `timeout` when another process keeps it, `file-system`
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

/** Whoever waits in another process looks again within this pause; without one it would hardly meet a gap. */
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
    if (await isLeftOver(lock, leftOver)) await takeDown(lock, leftOver);
    else if (performance.now() < deadline) await sleep(backOffMs(tries, 1, MAX_POLL_MS));
    else throw new IdewireError("timeout", describe(await holderOf(lock)));
  }
}

/**
 * Takes the lock of a file in a folder from elsewhere: no file in it blocks changes for longer than seconds,
 * whatever process it names.
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
 * Creates a file that names this process; false when it is there already.
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

/** Of several processes that find a lock left over, one removes it: the others might take the next one's. */
async function takeDown(lock: string, leftOver: LeftOver): Promise<void> {
  const breaking = `${lock}.breaking`;
  if (await createGuard(breaking)) {
    try {
      if (await isLeftOver(lock, leftOver)) await rm(lock, { force: true });
    } finally {
      await rm(breaking, { force: true });
    }
  } else if (await isLeftOver(breaking, leftOver)) await rm(breaking, { force: true });
  else await sleep(MAX_POLL_MS);
}

async function isLeftOver(lock: string, { unprovedMs, silentMs }: LeftOver): Promise<boolean> {
  try {
    const facts = await lstat(lock);
    // Ours are small regular files.
    if (!facts.isFile()) return !facts.isDirectory();
    const owner = facts.size > MAX_LOCK_BYTES ? undefined : await ownerOf(lock);
    // A time in the future is no more to be trusted.
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
 * The process that a lock names; undefined while it names none.
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
  // A directory is not removed with its content.
  if (facts?.isDirectory()) return `The folder ${basename(lock)}, which must be removed,`;
  const pid = (await ownerOf(lock).catch(() => undefined))?.pid;
  return pid === undefined ? "Another process" : `Process ${pid}`;
}
