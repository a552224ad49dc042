import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { platform } from "./platform.ts";

/** How often a group is checked after its first process has exited. */
const STEP_MS = 20;

/** Options of `spawn` for a program that is ended together with its descendants. */
export const ownTree: { readonly detached: boolean; readonly windowsHide: true } = {
  // A separate process group can be signalled as a whole, and Ctrl-C in our terminal does not reach it.
  detached: platform === "posix",
  windowsHide: true,
};

/**
 * Sends a signal to the process group of a program that was started with {@link ownTree}. On Windows, which has no
 * signals, `taskkill /T /F` ends the process tree, as long as the program itself still runs.
 */
export function signalTree({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    if (platform === "posix") process.kill(-pid, signal);
    else spawn("taskkill", ["/pid", `${pid}`, "/T", "/F"], { stdio: "ignore", windowsHide: true });
  } catch {
    // ESRCH: the whole group has ended.
  }
}

/** How long a program has to exit by itself, and then after SIGTERM. */
export interface TreeTimeouts {
  readonly endMs: number;
  readonly terminateMs: number;
  /** Once it aborts, each of the two takes half a second at most. */
  readonly hurry?: AbortSignal;
}

const HURRY_MS = 500;

/**
 * Ends a program that was started with {@link ownTree}, with its process group: it gets time to exit by itself,
 * then time after SIGTERM, then SIGKILL.
 * @param ended resolves when the program itself has exited
 */
export async function endTree(
  child: ChildProcess,
  ended: Promise<unknown>,
  { endMs, terminateMs, hurry }: TreeTimeouts,
): Promise<void> {
  const isOver = (ms: number) => isWithin(untilTreeEnded(child, ended), ms, hurry);
  if (await isOver(endMs)) return;
  signalTree(child, "SIGTERM");
  if (await isOver(terminateMs)) return;
  signalTree(child, "SIGKILL");
  await ended;
}

interface Waiting {
  readonly done: Promise<void>;
  stop(): void;
}

/**
 * Waits for the program, then polls for the rest of its group: the system reports only the exit of our own
 * children.
 */
function untilTreeEnded({ pid }: ChildProcess, ended: Promise<unknown>): Waiting {
  let isStopped = false;
  const wait = async () => {
    await ended;
    while (!isStopped && pid !== undefined && isGroupAlive(pid)) await sleep(STEP_MS);
  };
  return {
    done: wait(),
    stop() {
      isStopped = true;
    },
  };
}

function isGroupAlive(pid: number): boolean {
  if (platform !== "posix") return false;
  try {
    return process.kill(-pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function isWithin(waiting: Waiting, ms: number, hurry?: AbortSignal): Promise<boolean> {
  const over = new AbortController();
  const late = (delayMs: number) => sleep(delayMs, false, { signal: over.signal });
  const rush = new Promise<boolean>((resolve) => {
    const begin = () => void late(HURRY_MS).then(resolve, () => {});
    if (hurry?.aborted === true) begin();
    else hurry?.addEventListener("abort", begin, { signal: over.signal });
  });
  const isDone = await Promise.race([waiting.done.then(() => true), late(ms), rush]);
  waiting.stop();
  over.abort();
  return isDone;
}
