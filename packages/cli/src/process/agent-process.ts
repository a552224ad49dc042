import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { describeValue } from "@idewire/core/internal/base";
import { onProcessExit, ownTree, signalTree } from "@idewire/node-server/internal";
import { passOn } from "../output/print.ts";
import type { CliIo } from "./io.ts";

/** How long the agent has after SIGTERM, before SIGKILL. */
const TIMEOUT_MS = 2_000;

/** How long its remaining output may take after it has exited. */
const FLUSH_MS = 500;

/** The agent's own command, while it runs. */
export interface AgentProcess {
  /** Undefined if it could not be started. */
  readonly pid: number | undefined;
  /** Settles when it has exited; with an error message if it could not be started. */
  readonly ended: Promise<AgentEnd>;
  /** Forwards a signal, on POSIX systems also to processes that it has started without the terminal. */
  kill(signal: NodeJS.Signals): void;
  /** Terminates it, and on POSIX systems its children. */
  stop(): Promise<void>;
}

export type AgentEnd =
  /** Without a code if a signal terminated it. */
  | { readonly code: number | undefined; readonly signal?: NodeJS.Signals }
  | { readonly fault: string };

/** How the command runs. */
export interface AgentOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** It uses the terminal; otherwise its output goes to our stderr. */
  readonly ownsTerminal: boolean;
}

/** Starts the agent's command. */
export function startAgent(
  [command = "", ...args]: readonly string[],
  { cwd, env, ownsTerminal }: AgentOptions,
  io: CliIo,
): AgentProcess {
  // To use the terminal it must stay in our process group.
  const isTree = !ownsTerminal;
  const child = spawn(command, args, {
    cwd,
    env,
    stdio: ownsTerminal ? "inherit" : ["ignore", "pipe", "pipe"],
    ...(isTree ? ownTree : { windowsHide: true }),
  });
  for (const output of [child.stdout, child.stderr]) {
    if (output !== null) passOn(output, io);
  }
  const kill = (signal: NodeJS.Signals) => {
    if (isTree) signalTree(child, signal);
    else child.kill(signal);
  };
  const forget = onProcessExit(() => kill("SIGKILL"));
  const ended = untilEnded(child, command).finally(forget);
  return {
    ...{ pid: child.pid, ended, kill },
    async stop() {
      kill("SIGTERM");
      const isGone = await Promise.race([ended.then(() => true), sleep(TIMEOUT_MS, false)]);
      // Children of the agent may outlive it.
      if (!isGone || isTree) kill("SIGKILL");
      await ended;
      child.stdout?.destroy();
      child.stderr?.destroy();
    },
  };
}

async function untilEnded(child: ChildProcess, command: string): Promise<AgentEnd> {
  const end = await new Promise<AgentEnd>((resolve) => {
    child.once("exit", (code, signal) =>
      resolve({ code: code ?? undefined, ...(signal !== null && { signal }) }),
    );
    child.once("error", ({ message, code }: NodeJS.ErrnoException) => {
      const isMissing = code === "ENOENT";
      const why = isMissing ? "there is no such program" : message;
      resolve({ fault: `${describeValue(command)} cannot be started: ${why}` });
    });
  });
  // Its last output may still be in the pipe, which a grandchild may keep open indefinitely.
  const closed = new Promise((resolve) => child.once("close", resolve));
  const timeout = sleep(FLUSH_MS, undefined, { ref: false });
  if (child.stdout?.readableEnded === false) await Promise.race([closed, timeout]);
  return end;
}
