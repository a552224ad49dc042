import { createContext, Script } from "node:vm";

// Only code started by `vm` can be interrupted within this process, regular expressions included. The code is
// this constant, so no sandbox is needed.
const script = new Script("task()");
const context = createContext({});

/** Runs a synchronous function within a time limit; false when it was interrupted. */
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
