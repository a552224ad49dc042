import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";

/**
 * The code and the signal by which a process ends, which it does with its test at the latest: before
 * the folders are removed in which it may write.
 */
export function exitOf(child: ChildProcess): Promise<readonly unknown[]> {
  const exited = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  return exited;
}
