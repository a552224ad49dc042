import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import {
  endTree,
  onProcessExit,
  ownTree,
  signalTree,
  type TreeTimeouts,
} from "@idewire/node-server/internal";

export interface ChildCommandOptions {
  /** The native folder it runs in. */
  readonly cwd: string;
  /** Added to our environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether it is given an input to read. */
  readonly hasInput: boolean;
}

/** How a command ended. */
export interface CommandEnd {
  /** As after its name: "exit code 1", "SIGSEGV". */
  readonly words: string;
  readonly code: number | undefined;
}

/** A command line that a shell runs, with all that it starts. */
export interface ChildCommand {
  readonly input: Writable | undefined;
  readonly output: Readable;
  readonly errors: Readable;
  /** Settles when it has exited and its output has ended. */
  readonly ended: Promise<CommandEnd>;
  /** Ends it and what it has started. */
  kill(signal: "SIGTERM" | "SIGKILL"): void;
  /** Gives it time to end by itself, then time after SIGTERM, then kills it. */
  end(timeouts: TreeTimeouts): Promise<void>;
}

/** The shell's exit codes for a program that does not exist, or that cannot be run. */
const CANNOT_RUN: readonly (number | undefined)[] = [126, 127, 9009];

export function cannotRun({ code }: CommandEnd): boolean {
  return CANNOT_RUN.includes(code);
}

/** Runs a command line as a person would type it, in a process group of its own. */
export function startCommand(
  command: string,
  { cwd, env, hasInput }: ChildCommandOptions,
): ChildCommand {
  const child = spawn(command, {
    shell: true,
    ...ownTree,
    stdio: [hasInput ? "pipe" : "ignore", "pipe", "pipe"],
    cwd,
    env: { ...process.env, ...env },
  });
  const kill = (signal: "SIGTERM" | "SIGKILL") => signalTree(child, signal);
  const forget = onProcessExit(() => kill("SIGKILL"));
  // The shell has exited; processes that it left behind would hold its output open.
  child.once("exit", () => kill("SIGKILL"));
  const ended = untilEnded(child).finally(forget);
  return {
    input: child.stdin ?? undefined,
    output: child.stdout as Readable,
    errors: child.stderr as Readable,
    ended,
    kill,
    end: (timeouts) => endTree(child, ended, timeouts),
  };
}

function untilEnded(child: ChildProcess): Promise<CommandEnd> {
  return new Promise((resolve) => {
    child.once("close", (code, signal) => {
      resolve({ words: signal ?? `exit code ${code}`, code: code ?? undefined });
    });
    child.once("error", (error) => {
      if (child.pid === undefined) resolve({ words: error.message, code: 127 });
    });
  });
}
