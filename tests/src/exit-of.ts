import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";

/**
 * The exit code and signal of a process, which is terminated at the latest at the end of its test: before the
 * folders to which it may write are removed.
 */
export function exitOf(child: ChildProcess): Promise<readonly unknown[]> {
  const exited = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  return exited;
}
