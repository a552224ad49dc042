import { setImmediate } from "node:timers";

/** Longest time that the event loop is blocked. */
const longestTurnMs = 10;

/** Creates a function for long tasks to await between steps; it yields to the event loop every 10 ms. */
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
