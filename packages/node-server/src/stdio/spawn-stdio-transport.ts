import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { setTimeout } from "node:timers";
import { CloseCode, type CloseReason, IdewireError, type Transport } from "@idewire/core/rpc";
import { onProcessExit } from "../process/exit.ts";
import type { NodeWritable } from "../process/node-types.ts";
import { endTree, ownTree, signalTree } from "../process/process-tree.ts";
import type { FramingKind } from "./framing.ts";
import { contentLengthFraming } from "./length-framing.ts";
import { lineFraming } from "./line-framing.ts";
import type { StdioOptions } from "./stdio-transport.ts";
import { openStream, type StreamEnding } from "./stream-transport.ts";

/** How a program is started and ended. */
export interface SpawnStdioOptions extends StdioOptions {
  /** Its native working directory. */
  readonly cwd?: string;
  /** Its whole environment; this process's by default. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Where its stderr goes, which is never read; to this process's by default. */
  readonly stderr?: "inherit" | "ignore" | NodeWritable;
  /** How long it may take to exit after the end of its input, before SIGTERM; 2,000 by default. */
  readonly endTimeoutMs?: number;
  /** How long it has after SIGTERM, before SIGKILL; 2,000 by default. */
  readonly terminateTimeoutMs?: number;
  /**
   * Subscribes to the signals to forward to the program, such as Ctrl-C in our terminal; returns the undo. The
   * program has a process group of its own, so that the terminal sends it none.
   */
  readonly onSignal?: (listener: (signal: ForwardedSignal) => void) => () => void;
  /**
   * How frames are written: `lines`, as in MCP, by default; `content-length` for a program that expects headers as
   * a language server does, and never answers a line. Both are read at any time.
   */
  readonly framing?: ProgramFraming;
}

/** How frames are written to a program. */
export type ProgramFraming = "lines" | "content-length";

/** The connection to a program. */
export interface ProgramTransport extends Transport {
  /** Whether the program has written a frame with a Content-Length header. */
  readonly hasLengths: boolean;
}

/** The signals that are forwarded to a program. */
export type ForwardedSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

const framings: Readonly<Record<ProgramFraming, FramingKind>> = {
  lines: lineFraming,
  "content-length": { ...lineFraming, write: (frame) => contentLengthFraming.write(frame) },
};

/** A descendant of the program may hold its output open. */
const ORPHANED_OUTPUT_MS = 500;

/**
 * Starts a program, in a process group of its own, and connects to its stdin and stdout by MCP's stdio transport.
 * Closing ends its input, waits, and if necessary ends it and its descendants by signals; `onclose` follows its
 * exit, and the reason describes how it ended.
 */
export function spawnStdioTransport(
  command: string,
  args: readonly string[] = [],
  options: SpawnStdioOptions = {},
): Transport {
  return transportOf(start(command, args, options), options);
}

/**
 * Starts a program as {@link spawnStdioTransport} does.
 * @throws IdewireError `unreachable` when it cannot be started
 */
export async function openProgram(
  command: string,
  args: readonly string[] = [],
  options: SpawnStdioOptions = {},
): Promise<ProgramTransport> {
  const program = start(command, args, options);
  if (program.child.pid !== undefined) return transportOf(program, options);
  throw new IdewireError("unreachable", (await program.gone).words);
}

interface Program {
  readonly child: ChildProcess;
  readonly gone: Promise<ProgramEnd>;
  /** Aborts when a signal was forwarded. */
  readonly hurry: AbortSignal;
}

function start(
  command: string,
  args: readonly string[],
  { stderr = "inherit", cwd, env, onSignal }: SpawnStdioOptions,
): Program {
  const child = spawn(command, args, {
    ...ownTree,
    stdio: ["pipe", "pipe", typeof stderr === "string" ? stderr : "pipe"],
    ...(cwd !== undefined && { cwd }),
    ...(env !== undefined && { env }),
  });
  if (typeof stderr !== "string") child.stderr?.pipe(stderr as Writable, { end: false });
  const gone = untilGone(child, command);
  const hurry = new AbortController();
  const stopForwarding = onSignal?.((signal) => {
    signalTree(child, signal);
    hurry.abort();
  });
  void gone.finally(stopForwarding);
  return { child, gone, hurry: hurry.signal };
}

function transportOf(
  { child, gone, hurry }: Program,
  options: SpawnStdioOptions,
): ProgramTransport {
  const {
    endTimeoutMs: endMs = 2_000,
    terminateTimeoutMs: terminateMs = 2_000,
    framing = "lines",
  } = options;
  const input = child.stdout as Readable;
  void gone.then(() => {
    setTimeout(() => {
      input.destroy();
      child.stderr?.destroy();
    }, ORPHANED_OUTPUT_MS).unref();
  });
  return openStream(
    {
      input,
      output: child.stdin as Writable,
      async settle(ending) {
        input.resume();
        await endTree(child, gone, { endMs, terminateMs, hurry });
        input.destroy();
        return toReason(ending, await gone);
      },
    },
    { ...options, framing: framings[framing] },
  );
}

/** How a program ended: in words, and whether it succeeded. */
interface ProgramEnd {
  readonly words: string;
  readonly isGood: boolean;
}

function untilGone(child: ChildProcess, command: string): Promise<ProgramEnd> {
  const forget = onProcessExit(() => signalTree(child, "SIGKILL"));
  return new Promise<ProgramEnd>((resolve) => {
    child.once("exit", (code, signal) => {
      const words = signal === null ? `exit code ${code}` : `ended by ${signal}`;
      resolve({ words, isGood: code === 0 });
    });
    child.on("error", (error) => {
      const { code = error.message } = error as NodeJS.ErrnoException;
      if (child.pid !== undefined) return;
      const advice =
        code === "ENOENT" && /\s/.test(command) ? ": pass its arguments separately" : "";
      const words = `${JSON.stringify(command)} cannot be started (${code})${advice}`;
      resolve({ words, isGood: false });
    });
  }).finally(forget);
}

function toReason({ reason, cause }: StreamEnding, { words, isGood }: ProgramEnd): CloseReason {
  if (cause !== "lost") return reason.reason === "" ? { code: reason.code, reason: words } : reason;
  return { code: isGood ? CloseCode.Normal : CloseCode.Abnormal, reason: words };
}
