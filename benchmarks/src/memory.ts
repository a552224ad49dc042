import { setImmediate as nextTurn } from "node:timers/promises";

/** The memory of this process after garbage collection. */
export async function settledMemory(): Promise<NodeJS.MemoryUsage> {
  for (let round = 0; round < 3; round += 1) {
    await nextTurn();
    globalThis.gc?.();
  }
  return process.memoryUsage();
}
