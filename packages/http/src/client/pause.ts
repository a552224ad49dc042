import type { Clock } from "@idewire/core/rpc";

/** Waits, unless or until the signal aborts. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = clock.setTimeout(done, ms);
    signal.addEventListener("abort", done);
    function done() {
      clock.clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
  });
}
