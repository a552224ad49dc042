import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import type { Unsubscribe } from "@idewire/core";
import { describeProcessesBy, readPs } from "@idewire/node-server/internal/files";
import { ownJob, type TerminalJob } from "./foreground.ts";
import type { StopSignal } from "./stop-signal.ts";

const STOP_SIGNALS: readonly StopSignal[] = ["SIGINT", "SIGTERM", "SIGHUP"];

export type CliInput = Readable & {
  readonly isTTY?: boolean;
  /** Of a terminal: whether keys arrive as they are pressed. */
  setRawMode?(isRaw: boolean): unknown;
};

export type CliOutput = Writable & {
  readonly isTTY?: boolean;
  /** Width and height in characters, of a terminal. */
  readonly columns?: number;
  readonly rows?: number;
};

/** The environment of the command. */
export interface CliIo {
  readonly stdin: CliInput;
  readonly stdout: CliOutput;
  readonly stderr: CliOutput;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The native folder for relative paths of the command line. */
  readonly cwd: string;
  /** The arguments after the program's name; none when left out. */
  readonly args?: readonly string[];
  onSignal(listener: (signal: StopSignal) => void): Unsubscribe;
  /** Ends the process at once. */
  exit(code: number): void;
  /** The job state in its terminal; in the foreground when left out. */
  readonly job?: TerminalJob;
  /** Called with an uncaught error, instead of Node's own report. */
  onCrash?(listener: (error: unknown) => void): void;
}

/** The current process. */
export function processIo(): CliIo {
  describeProcessesBy(readPs);
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    exit: exitAtOnce,
    job: ownJob,
    onCrash: (listener) => void process.on("uncaughtException", listener),
    onSignal(listener) {
      for (const signal of STOP_SIGNALS) process.on(signal, listener);
      return () => {
        for (const signal of STOP_SIGNALS) process.off(signal, listener);
      };
    },
  };
}

/**
 * Node waits for its file system calls before it exits, indefinitely on a dead disk: then the signal of the
 * code ends the process, after the clean-up on `exit`.
 */
function exitAtOnce(code: number): void {
  if (process.getActiveResourcesInfo().some((name) => name.startsWith("FSReq"))) {
    process.on("exit", () => dieOf(code - 128));
  }
  process.exit(code);
}

function dieOf(number: number): void {
  const signal = STOP_SIGNALS.find((name) => constants.signals[name] === number) ?? "SIGKILL";
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
