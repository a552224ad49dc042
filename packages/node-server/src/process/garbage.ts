import { PerformanceObserver } from "node:perf_hooks";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** About as much memory as a hundred thousand comments use, or two messages of the largest size. */
const MAX_GARBAGE_BYTES = 32_000_000;

/**
 * Limits how much garbage may accumulate before it is collected, in this process from now on. By V8's own rule it
 * may be several times the memory in use: a server that runs all day would use as much as an editor, and a peer that
 * sends large messages one after the other would fill the memory with those that are done with.
 * @returns the undo
 */
export function limitHeapGrowth(): () => void {
  const collect = exposeCollector();
  let inUse = usedBytes();
  // V8 collects its youngest objects every few megabytes, which is often enough for this check.
  const observer = new PerformanceObserver(() => {
    const used = usedBytes();
    inUse = Math.min(inUse, used);
    if (used - inUse <= MAX_GARBAGE_BYTES) return;
    collect();
    inUse = usedBytes();
  });
  observer.observe({ entryTypes: ["gc"] });
  return () => observer.disconnect();
}

/** Strings and buffers outside the heap are collected with the objects that refer to them. */
function usedBytes(): number {
  const { used_heap_size: heap, external_memory: outside } = getHeapStatistics();
  return heap + outside;
}

/** Only contexts that are created after the flag was set have the function. */
function exposeCollector(): () => void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("globalThis.gc") as (() => void) | undefined;
  setFlagsFromString("--no-expose-gc");
  return collect ?? (() => {});
}
