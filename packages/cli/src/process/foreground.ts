import { clearTimeout, setTimeout } from "node:timers";
import type { Unsubscribe } from "@idewire/core";
import { processFacts } from "@idewire/node-server/internal/files";

/** How often a background process checks whether it is in the foreground, which no event reports. */
const LOOK_MS = 500;

/** This process as a job of its terminal. */
export interface TerminalJob {
  /** Whether this process may use the terminal: the system stops background processes that do. */
  isForeground(): boolean;
  /** Stops this process, as Ctrl-Z does. */
  stop(): void;
  /** Called when it is continued, in the foreground or in the background. */
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
