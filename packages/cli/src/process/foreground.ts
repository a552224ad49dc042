import { spawnSync } from "node:child_process";
import type { Writable } from "node:stream";
import { clearInterval, clearTimeout, setInterval, setTimeout } from "node:timers";
import type { Unsubscribe } from "@idewire/core";
import { processFacts } from "@idewire/node-server/internal/files";

/** How often a background process checks what no event reports: whether it is in the foreground, or may write. */
const LOOK_MS = 500;

/** This process as a job of its terminal. */
export interface TerminalJob {
  /** Whether this process may use the terminal: the system stops background processes that do. */
  isForeground(): boolean;
  /** Whether the terminal takes output of background processes: after `stty tostop` it stops them. */
  takesOutput(): boolean;
  /** Stops the whole job, as Ctrl-Z does. */
  stop(): void;
  /** Called when it is continued, in the foreground or in the background. */
  onContinue(listener: () => void): Unsubscribe;
}

export const ownJob: TerminalJob = {
  isForeground() {
    const { group, foregroundGroup = 0 } = processFacts(process.pid) ?? {};
    return foregroundGroup <= 0 || group === foregroundGroup;
  },
  takesOutput() {
    const { stdout } = spawnSync("sh", ["-c", "stty -a < /dev/tty"], { encoding: "utf8" });
    return !/(?<!-)\btostop\b/.test(stdout ?? "");
  },
  // The shell waits for the program that started this process, such as npx: 0 is the group of both.
  stop: () => process.kill(0, "SIGTSTP"),
  onContinue(listener) {
    process.on("SIGCONT", listener);
    return () => process.off("SIGCONT", listener);
  },
};

/** Reports whether this process is in the foreground: now, when it is continued, and after each change. */
export function followForeground(
  job: TerminalJob,
  onchange: (isForeground: boolean) => void,
): Unsubscribe {
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    clearTimeout(timer);
    const isForeground = job.isForeground();
    if (!isForeground) timer = setTimeout(lookAgain, LOOK_MS);
    return isForeground;
  };
  const lookAgain = () => {
    if (look()) onchange(true);
  };
  const forget = job.onContinue(() => onchange(look()));
  onchange(look());
  return () => {
    clearTimeout(timer);
    forget();
  };
}

/**
 * In the background, output to the terminal waits until the terminal takes it, or the process is in the foreground:
 * otherwise the system would stop the process.
 * @returns to call at the end; output that the terminal does not take then is lost
 */
export function holdInBackground(
  outputs: readonly (Writable & { readonly isTTY?: boolean })[],
  job: TerminalJob,
): Unsubscribe {
  const terminals = outputs.filter(({ isTTY }) => isTTY === true);
  if (terminals.length === 0) return () => {};
  let isHeld = false;
  let timer: NodeJS.Timeout | undefined;
  const hold = () => {
    isHeld = true;
    for (const terminal of terminals) terminal.cork();
  };
  const release = () => {
    isHeld = false;
    for (const terminal of terminals) terminal.uncork();
  };
  const pass = () => {
    const isWaiting = terminals.some(({ writableLength }) => writableLength > 0);
    if (!isHeld || !isWaiting || !job.takesOutput()) return;
    release();
    hold();
  };
  const unfollow = followForeground(job, (isForeground) => {
    clearInterval(timer);
    if (isForeground && isHeld) release();
    if (isForeground) return;
    if (!isHeld) hold();
    timer = setInterval(pass, LOOK_MS).unref();
  });
  return () => {
    unfollow();
    clearInterval(timer);
    if (isHeld && job.takesOutput()) release();
  };
}
