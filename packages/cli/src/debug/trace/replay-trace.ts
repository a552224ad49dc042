import { resolve } from "node:path";
import { IdewireError } from "@idewire/core/rpc";
import { recordedFolderFor } from "@idewire/devtools/internal";
import {
  type RecordedSession,
  readSessions,
  replaySession,
  type SessionReplay,
} from "@idewire/devtools/trace";
import { dial } from "@idewire/node-server/internal";
import { createPrinter, type Printer } from "../../output/print.ts";
import { line, shorten } from "../../output/printable.ts";
import { ExitCode } from "../../process/exit-status.ts";
import type { CliIo } from "../../process/io.ts";
import { runUntilStopped } from "../../process/run-until-stopped.ts";
import { chooseTarget } from "../inspect/target.ts";
import { readTrace } from "./read-trace.ts";
import { comparisonToJson, type NamedSessions, showComparison } from "./show-comparison.ts";

/** As parsed by commander. */
export interface ReplayFlags {
  readonly connection?: string;
  readonly port?: number;
  readonly lock?: string;
  readonly all?: true;
  readonly folder?: string;
  readonly timeout?: number;
  readonly json?: true;
}

/** The same, with the native folder of the editor. */
type ReplayOptions = ReplayFlags & { readonly cwd: string };

const UPGRADE_MS = 5_000;

/**
 * Replays a session of a trace file; resolves to the exit code.
 * @param shown the file as typed
 */
export function replayTrace(shown: string, options: ReplayOptions, io: CliIo): Promise<number> {
  const run = async ({
    requested,
    signal,
  }: {
    requested: Promise<number>;
    signal: AbortSignal;
  }) => {
    const printer = createPrinter(io);
    const session = await chooseSession(shown, options, io);
    if ("fault" in session) {
      printer.fail(line`${shown}: ${session.fault}`);
      return ExitCode.Usage;
    }
    const { name, replay } = await replayTo(session, { options, io, signal });
    if (signal.aborted) return requested;
    const sessions = {
      a: { name: shown, session: replay.recorded, count: 1 },
      b: { name, session: replay.live, count: 1 },
    };
    if (options.json) printer.json(toJson(replay, sessions));
    else show(replay, sessions, printer);
    return replay.comparison.same ? ExitCode.Ok : ExitCode.Failed;
  };
  return runUntilStopped(io, run, (error) => {
    if (error instanceof IdewireError) return ExitCode.NoEditor;
    throw error;
  });
}

async function chooseSession(
  shown: string,
  { connection }: ReplayOptions,
  io: CliIo,
): Promise<RecordedSession | { readonly fault: string }> {
  const trace = await readTrace(shown, io);
  if ("fault" in trace) return trace;
  const sessions = readSessions(trace.events);
  const begun = sessions.filter(({ handshake }) => handshake.params !== undefined);
  const session = connection === undefined ? begun[0] : begun.find(({ ch }) => ch === connection);
  if (session !== undefined) return session;
  const names = begun.map(({ ch }) => ch).join(", ") || "none";
  const which = connection === undefined ? "a connection" : `the connection ${connection}`;
  return { fault: `it has not ${which} with its handshake; there are: ${names}` };
}

interface Run {
  readonly options: ReplayOptions;
  readonly io: CliIo;
  readonly signal: AbortSignal;
}

/** @throws IdewireError when there is no editor, or none answers */
async function replayTo(session: RecordedSession, { options, io, signal }: Run) {
  const { cwd, port, lock, all = false, timeout, folder } = options;
  const { target } = await chooseTarget({
    ...{ cwd, env: io.env, port },
    ...(lock !== undefined && { lockFile: resolve(io.cwd, lock) }),
  });
  const { transport } = await dial(target, { timeoutMs: UPGRADE_MS });
  const [live = cwd] = target.folders;
  const to = live.replaceAll("\\", "/").replace(/\/$/, "");
  const deepest = session.folder;
  const from = folder ?? (deepest === undefined ? undefined : recordedFolderFor(to, deepest));
  const replay = await replaySession(session, transport, {
    ...{ all, signal },
    ...(timeout !== undefined && { timeoutMs: timeout * 1_000 }),
    ...(from !== undefined && { folders: [from.replaceAll("\\", "/").replace(/\/$/, ""), to] }),
  });
  return { name: `${target.name} on port ${target.port}`, replay };
}

function show(replay: SessionReplay, sessions: NamedSessions, printer: Printer): void {
  const { print, palette } = printer;
  showComparison(replay.comparison, sessions, printer);
  const reasons = new Map<string, string[]>();
  for (const { message, why } of replay.leftOut) {
    const name = message.tool ?? message.method ?? `event ${message.n}`;
    reasons.set(why, [...(reasons.get(why) ?? []), shorten(name, 80)]);
  }
  if (reasons.size > 0) print(line``);
  for (const [why, names] of reasons) {
    const counted = [...new Set(names)].map((name) => {
      const count = names.filter((one) => one === name).length;
      return count === 1 ? name : `${name} (${count})`;
    });
    print(palette.dim(line`– not sent: ${counted.join(", ")}: ${why}`));
  }
}

function toJson({ comparison, leftOut }: SessionReplay, sessions: NamedSessions): object {
  return { ...comparisonToJson(comparison, sessions), leftOut };
}
