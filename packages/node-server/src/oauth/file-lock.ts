import { rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { IdewireError } from "@idewire/core";
import { createGuard } from "../discovery/folder-claim.ts";
import { makePrivateDirectory } from "../files/private-file.ts";
import { readSmallFile } from "../files/small-file.ts";
import { isRunning, type ProcessIdentity } from "../process/liveness.ts";

const POLL_MS = 25;
/** A lock that names nobody is being written, unless it is older. */
const STALE_MS = 10_000;

/**
 * Runs a function while no other process holds the lock. One that a crash has left is taken over.
 * @param lock a path where nothing else is kept
 * @throws IdewireError `timeout` when another process keeps it, `file-system`
 */
export async function withFileLock<T>(
  lock: string,
  run: () => Promise<T>,
  patienceMs: number,
): Promise<T> {
  await makePrivateDirectory(dirname(lock));
  const deadline = Date.now() + patienceMs;
  while (!(await createGuard(lock))) {
    if (await isLeftOver(lock)) await takeDown(lock);
    else if (Date.now() < deadline) await sleep(POLL_MS);
    else {
      const what = "Another process is logging in to the same server";
      throw new IdewireError("timeout", `${what}; if none is, remove ${lock}`);
    }
  }
  try {
    return await run();
  } finally {
    await rm(lock, { force: true });
  }
}

/** Of several processes that find a lock left over, one removes it: the others might take the next one's. */
async function takeDown(lock: string): Promise<void> {
  const breaking = `${lock}.breaking`;
  if (await createGuard(breaking)) {
    try {
      if (await isLeftOver(lock)) await rm(lock, { force: true });
    } finally {
      await rm(breaking, { force: true });
    }
  } else if (await isLeftOver(breaking)) await rm(breaking, { force: true });
  else await sleep(POLL_MS);
}

async function isLeftOver(lock: string): Promise<boolean> {
  try {
    const text = await readSmallFile(lock);
    if (text !== "") return !isRunning(JSON.parse(text) as ProcessIdentity);
    return Date.now() - (await stat(lock)).mtimeMs > STALE_MS;
  } catch {
    // Released in the meantime.
    return false;
  }
}
