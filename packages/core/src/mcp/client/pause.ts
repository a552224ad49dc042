import type { Clock } from "../../rpc/clock.ts";

/** Waits; an abort ends it early. */
export function pause(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = clock.setTimeout(done, delayMs);
    signal?.addEventListener("abort", done);
    function done() {
      clock.clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    }
  });
}
