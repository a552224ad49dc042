import { createContext, Script } from "node:vm";

// Of all that runs in this process only what `vm` started can be ended from outside, regular
// expressions included. The code is this constant; nothing is sandboxed, and nothing needs to be.
const script = new Script("task()");
const context = createContext({});

/** Runs something synchronous within a time limit; false when it was stopped. */
export function runWithin(timeoutMs: number, task: () => void): boolean {
  try {
    context["task"] = task;
    script.runInContext(context, { timeout: timeoutMs });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return false;
    throw error;
  } finally {
    context["task"] = undefined;
  }
}
