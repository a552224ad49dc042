import { PerformanceObserver } from "node:perf_hooks";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Lets garbage grow to so many bytes before it is collected, in this process from now on. By V8's own rule there
 * may be several times what is in use: a server that is there all day would have the memory of an editor.
 * @returns ends that
 */
export function limitHeapGrowth(maxBytes: number): () => void {
  const collect = exposeCollector();
  let inUse = usedBytes();
  // V8 looks after its youngest objects each few megabytes: as often as there may be something to do.
  const observer = new PerformanceObserver(() => {
    const used = usedBytes();
    inUse = Math.min(inUse, used);
    if (used - inUse <= maxBytes) return;
    collect();
    inUse = usedBytes();
  });
  observer.observe({ entryTypes: ["gc"] });
  return () => observer.disconnect();
}

/** Strings and buffers outside the heap are collected with what holds them. */
function usedBytes(): number {
  const { used_heap_size: heap, external_memory: outside } = getHeapStatistics();
  return heap + outside;
}

/** Only contexts that are made after the flag was set have the function. */
function exposeCollector(): () => void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("globalThis.gc") as (() => void) | undefined;
  setFlagsFromString("--no-expose-gc");
  return collect ?? (() => {});
}
