import { setImmediate } from "node:timers";

/** What else the process has to do waits no longer than this. */
const longestTurnMs = 10;

/** Of work that never waits: the function that it calls on its way ends its turn when that has been long. */
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
