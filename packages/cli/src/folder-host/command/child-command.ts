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
  /** The native folder in which it runs. */
  readonly cwd: string;
  /** Added to this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether its stdin is a pipe. */
  readonly hasInput: boolean;
}

/** How a command exited. */
export interface CommandEnd {
  /** For messages: "exit code 1", "SIGSEGV". */
  readonly words: string;
  readonly code: number | undefined;
}

/** A command line run by a shell, with its child processes. */
export interface ChildCommand {
  readonly input: Writable | undefined;
  readonly output: Readable;
  readonly errors: Readable;
  /** Settles when it has exited and its output has ended. */
  readonly ended: Promise<CommandEnd>;
  /** Kills it and its child processes. */
  kill(signal: "SIGTERM" | "SIGKILL"): void;
  /** Waits for it to exit, sends SIGTERM, then kills it. */
  end(timeouts: TreeTimeouts): Promise<void>;
}

/** The shell's exit codes for a program that is missing or cannot be executed. */
const CANNOT_RUN: readonly (number | undefined)[] = [126, 127, 9009];

export function cannotRun({ code }: CommandEnd): boolean {
  return CANNOT_RUN.includes(code);
}

/** Runs a command line as typed in a shell, in its own process group. */
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
  // The shell has exited; remaining child processes would keep its output open.
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
