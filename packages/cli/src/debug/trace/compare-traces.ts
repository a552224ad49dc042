import { compareSessions, type RecordedSession, readSessions } from "@idewire/devtools/trace";
import { createPrinter } from "../../output/print.ts";
import { line } from "../../output/printable.ts";
import { ExitCode } from "../../process/exit-status.ts";
import type { CliIo } from "../../process/io.ts";
import { readTrace } from "./read-trace.ts";
import { comparisonToJson, type NamedSession, showComparison } from "./show-comparison.ts";

/** As parsed by commander. */
export interface CompareFlags {
  readonly connectionA?: string;
  readonly connectionB?: string;
  readonly json?: true;
}

/**
 * Compares two sessions in files; resolves to the exit code.
 * @param shown the files as typed; without the second, both sessions are in the first
 */
export async function compareTraces(
  [first, second]: readonly [a: string, b: string | undefined],
  { connectionA, connectionB, json }: CompareFlags,
  io: CliIo,
): Promise<number> {
  const printer = createPrinter(io);
  const left = await readSessionsOf(first, io);
  const right = second === undefined ? left : await readSessionsOf(second, io);
  const a = "fault" in left ? left : choose(left, connectionA);
  const before = second === undefined && "session" in a ? a.session : undefined;
  const b = "fault" in right ? right : choose(right, connectionB, before);
  for (const one of new Set([a, b])) if ("fault" in one) printer.fail(line`${one.fault}`);
  if ("fault" in a || "fault" in b) return ExitCode.Usage;
  const comparison = compareSessions(a.session, b.session);
  if (json) printer.json(comparisonToJson(comparison, { a, b }));
  else showComparison(comparison, { a, b }, printer);
  return comparison.same ? ExitCode.Ok : ExitCode.Failed;
}

interface Fault {
  readonly fault: string;
}

interface TraceSessions {
  readonly name: string;
  readonly sessions: readonly RecordedSession[];
}

async function readSessionsOf(name: string, io: CliIo): Promise<TraceSessions | Fault> {
  const trace = await readTrace(name, io);
  if ("fault" in trace) return { fault: `${name}: ${trace.fault}` };
  const sessions = readSessions(trace.events);
  return sessions.length === 0 ? { fault: `${name}: it has no frames` } : { name, sessions };
}

/** @param other the session to compare with, if it is in the same trace */
function choose(
  { name, sessions }: TraceSessions,
  ch: string | undefined,
  other?: RecordedSession,
): NamedSession | Fault {
  const rest = sessions.filter((one) => one !== other);
  const named = sessions.find((one) => one.ch === ch);
  const session =
    ch === undefined
      ? (rest.find(({ handshake }) => handshake.answer !== undefined) ?? rest[0])
      : named;
  if (session !== undefined) return { name, session, count: sessions.length };
  const names = sessions.map((one) => one.ch).join(", ");
  if (ch !== undefined) return { fault: `${name}: it has no connection ${ch}, only ${names}` };
  return { fault: `${name}: it has one connection only: name another trace to compare it with` };
}
