import { setImmediate as nextTurn } from "node:timers/promises";

/** What this process holds once the garbage is collected. */
export async function settledMemory(): Promise<NodeJS.MemoryUsage> {
  for (let round = 0; round < 3; round += 1) {
    await nextTurn();
    globalThis.gc?.();
  }
  return process.memoryUsage();
}
