import type { Direction } from "../format/trace-event.ts";
import type { FrameFacts } from "../rows/frame-facts.ts";

/** How long the answers to one kind of request took. */
export interface Latency {
  /** Who asked. */
  readonly dir: Direction;
  readonly method: string;
  /** The tool that `tools/call` names. */
  readonly tool?: string;
  /** Whether the answer waits for a person, so that its time is no machine's. */
  readonly isPersonal: boolean;
  /** How many were answered. */
  readonly count: number;
  /** How many of these with an error, or a result that says `isError`. */
  readonly failed: number;
  /** How many were not, or not yet. */
  readonly unanswered: number;
  /** Of those answered; undefined without any. */
  readonly times?: LatencyTimes;
}

/** In milliseconds from a request to its answer. */
export interface LatencyTimes {
  readonly minMs: number;
  readonly medianMs: number;
  /** Of 100 answers 95 took at most as long: the nearest rank, so that it is one that was seen. */
  readonly p95Ms: number;
  readonly maxMs: number;
}

/** Requests that a person answers. */
const PERSONAL: ReadonlySet<string> = new Set(["openDiff", "elicitation/create"]);

/**
 * The latencies of all requests, by direction, method and tool. Those of machines come first, and of
 * each kind the one with the slowest median.
 */
export function measureLatencies(frames: readonly FrameFacts[]): readonly Latency[] {
  const groups = new Map<string, Group>();
  for (const frame of frames) {
    const { dir, kind, method, tool, lost } = frame;
    if (kind !== "request" || method === undefined || lost === true) continue;
    const key = JSON.stringify([dir, method, tool]);
    const group = groups.get(key) ?? { first: frame, method, took: [], numbers: [], unanswered: 0 };
    groups.set(key, group);
    if (frame.durationMs === undefined || frame.pair === undefined) group.unanswered += 1;
    else {
      group.took.push(frame.durationMs);
      group.numbers.push(frame.pair);
    }
  }
  const failed = failuresIn(frames);
  return [...groups.values()].map((group) => summarise(group, failed)).sort(compare);
}

interface Group {
  readonly first: FrameFacts;
  readonly method: string;
  readonly took: number[];
  /** The event numbers of the answers. */
  readonly numbers: number[];
  unanswered: number;
}

function failuresIn(frames: readonly FrameFacts[]): ReadonlySet<number> {
  const failed = new Set<number>();
  for (const { n, kind, toolError } of frames) {
    if (kind === "error" || toolError === true) failed.add(n);
  }
  return failed;
}

function summarise(
  { first: { dir, tool }, method, took, numbers, unanswered }: Group,
  failed: ReadonlySet<number>,
): Latency {
  return {
    ...{ dir, method, count: took.length, unanswered },
    ...(tool !== undefined && { tool }),
    isPersonal: PERSONAL.has(tool ?? method),
    failed: numbers.filter((n) => failed.has(n)).length,
    ...(took.length > 0 && { times: timesOf(took.sort((a, b) => a - b)) }),
  };
}

/** @param sorted at least one, in ascending order */
function timesOf(sorted: readonly number[]): LatencyTimes {
  const at = (rank: number): number => sorted[Math.max(0, Math.ceil(rank) - 1)] ?? 0;
  const { length } = sorted;
  const middle = (at(length / 2) + at(length / 2 + 0.5)) / 2;
  return { minMs: at(1), medianMs: middle, p95Ms: at(0.95 * length), maxMs: at(length) };
}

function compare(a: Latency, b: Latency): number {
  if (a.isPersonal !== b.isPersonal) return a.isPersonal ? 1 : -1;
  return (b.times?.medianMs ?? -1) - (a.times?.medianMs ?? -1);
}
