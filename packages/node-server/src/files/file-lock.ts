import { open, rename, rm, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { isObject, parseJson } from "@idewire/core";
import { codeOf } from "../process/error-code.ts";
import { isRunning, ownIdentity } from "../process/liveness.ts";
import { readSmallFile } from "./small-file.ts";

const patienceMs = 2_000;
/**
 * A lock gets its owner at once: one without that is older was left by a crash between the two. Less than
 * others wait for it, so that they get it.
 */
const staleMs = 1_000;

/** Who waits in this process, by file: the lock on the disk is between processes. */
const queues = new Map<string, Promise<void>>();

/**
 * Waits for the lock of a file and takes it; a lock whose process is gone is taken over.
 * @returns what gives it back
 * @throws Error when another process holds it for two seconds, with its pid
 */
export async function lockFile(file: string): Promise<() => Promise<void>> {
  const before = queues.get(file) ?? Promise.resolve();
  let leave = () => {};
  const done = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const last = before.then(() => done);
  queues.set(file, last);
  await before;
  const lock = `${file}.lock`;
  const end = async () => {
    if (queues.get(file) === last) queues.delete(file);
    leave();
  };
  try {
    await take(lock);
  } catch (error) {
    await end();
    throw error;
  }
  return async () => {
    await rm(lock, { force: true });
    await end();
  };
}

async function take(lock: string): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (let waitMs = 1; ; waitMs = Math.min(waitMs * 2, 50)) {
    if (await create(lock)) return;
    await removeIfStale(lock);
    if (performance.now() >= deadline) {
      const pid = (await ownerOf(lock))?.["pid"];
      const holder = typeof pid === "number" ? `Process ${pid}` : "Another process";
      throw new Error(`${holder} has the file: try again when it is done`);
    }
    await sleep(waitMs);
  }
}

async function create(lock: string): Promise<boolean> {
  try {
    const handle = await open(lock, "wx", 0o600);
    try {
      await handle.writeFile(JSON.stringify(ownIdentity()));
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Renames it first: of several that find it stale one alone gets to remove it. */
async function removeIfStale(lock: string): Promise<void> {
  const owner = await ownerOf(lock);
  if (owner === undefined ? !(await isOld(lock)) : isRunning(owner)) return;
  const aside = `${lock}.${process.pid}`;
  await rename(lock, aside).catch(() => {});
  const moved = await ownerOf(aside);
  // Somebody took the lock between the look and the renaming: it is theirs.
  if (moved !== undefined && isRunning(moved) && moved["pid"] !== owner?.["pid"]) {
    await rename(aside, lock).catch(() => {});
    return;
  }
  await rm(aside, { force: true });
}

async function ownerOf(lock: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const value = parseJson(await readSmallFile(lock));
    return isObject(value) && typeof value["pid"] === "number" ? value : undefined;
  } catch {
    return undefined;
  }
}

async function isOld(lock: string): Promise<boolean> {
  const facts = await stat(lock).catch(() => undefined);
  return facts !== undefined && Date.now() - facts.mtimeMs > staleMs;
}
