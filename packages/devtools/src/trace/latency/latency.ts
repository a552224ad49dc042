import type { Direction } from "../format/trace-event.ts";
import type { FrameFacts } from "../rows/frame-index.ts";

/** How long the answers to one kind of request took. */
export interface Latency {
  /** Who asked. */
  readonly dir: Direction;
  readonly method: string;
  /** The tool that `tools/call` names. */
  readonly tool?: string;
  /** Whether a person answers, so that the time is the person's. */
  readonly isPersonal: boolean;
  /** How many were answered. */
  readonly count: number;
  /** How many of these failed: by an error, or a result with `isError`. */
  readonly failed: number;
  /** How many were not, or not yet. */
  readonly unanswered: number;
  /** Of the answered requests; undefined if there are none. */
  readonly times?: LatencyTimes;
}

/** In milliseconds from a request to its answer. */
export interface LatencyTimes {
  readonly minMs: number;
  readonly medianMs: number;
  /** The 95th percentile by nearest rank: a measured value. */
  readonly p95Ms: number;
  readonly maxMs: number;
}

/** Requests that a person answers. */
const PERSONAL: ReadonlySet<string> = new Set(["openDiff", "elicitation/create"]);

/**
 * The latencies of all requests, by direction, method and tool: those answered by machines first, each
 * group by descending median.
 */
export function measureLatencies(frames: readonly FrameFacts[]): readonly Latency[] {
  const groups = new Map<string, FrameFacts[]>();
  for (const frame of frames) {
    const { dir, kind, method, tool, lost } = frame;
    if (kind !== "request" || method === undefined || lost === true) continue;
    const key = JSON.stringify([dir, method, tool]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [frame]);
    else group.push(frame);
  }
  return [...groups.values()].map(summarise).sort(compare);
}

function summarise(requests: readonly FrameFacts[]): Latency {
  const [{ dir, method = "", tool } = {} as FrameFacts] = requests;
  const took = requests.flatMap(({ durationMs }) => durationMs ?? []);
  return {
    ...{ dir, method, count: took.length, unanswered: requests.length - took.length },
    ...(tool !== undefined && { tool }),
    isPersonal: PERSONAL.has(tool ?? method),
    failed: requests.filter(({ failed }) => failed).length,
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
