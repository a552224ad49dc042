import { clearTimeout, setTimeout } from "node:timers";
import type { Unsubscribe } from "@idewire/core";
import { processFacts } from "@idewire/node-server/internal/files";

/** How often a process in the background looks whether it is in the foreground: nothing reports it. */
const LOOK_MS = 500;

/** The place of this process among the jobs of its terminal. */
export interface TerminalJob {
  /** Whether the terminal is ours: the system stops a process that touches another job's. */
  isForeground(): boolean;
  /** Stops this process, as Ctrl-Z does. */
  stop(): void;
  /** Called when it was continued, in the foreground or in the background. */
  onContinue(listener: () => void): Unsubscribe;
}

export const ownJob: TerminalJob = {
  isForeground() {
    const { group, foregroundGroup = 0 } = processFacts(process.pid) ?? {};
    return foregroundGroup <= 0 || group === foregroundGroup;
  },
  stop: () => process.kill(process.pid, "SIGTSTP"),
  onContinue(listener) {
    process.on("SIGCONT", listener);
    return () => process.off("SIGCONT", listener);
  },
};

/** Calls with whether the terminal is ours: now, when this process was continued, and when that changes. */
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
