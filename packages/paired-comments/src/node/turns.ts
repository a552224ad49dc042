import { setImmediate } from "node:timers";

/** What else the process has to do waits no longer than this. */
const longestTurnMs = 10;

/** Creates a function that long work calls between steps; it yields to the event loop every 10 ms. */
export function createTurns(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < longestTurnMs) return;
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    since = performance.now();
  };
}
