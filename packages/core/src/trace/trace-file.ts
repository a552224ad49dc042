import { type ParseResult, parsed, refused } from "../parse-result.ts";
import { describeValue, isObject } from "../rpc/message.ts";
import type { TraceEvent } from "./trace-event.ts";
import { parseFact } from "./trace-fact.ts";

/** The first line of a trace file. */
export interface TraceHeader {
  /** ISO 8601. */
  readonly created?: string;
  /** Who was on either end, as they named themselves. */
  readonly ide?: string;
  readonly agent?: string;
  readonly dialect?: string;
  /** What was taken out before it was written. */
  readonly redacted?: readonly string[];
}

/** A recorded log. */
export interface Trace {
  readonly header: TraceHeader;
  readonly events: readonly TraceEvent[];
}

/** How much of a trace file is read. */
export interface ParseTraceLimits {
  /** 1,000,000. */
  readonly maxEvents: number;
}

const FORMAT = "trace/1";

/** The first line of a trace, with its line end. */
export function formatTraceHeader(header: TraceHeader): string {
  return `${JSON.stringify({ idewire: FORMAT, clock: "ms", ...header })}\n`;
}

/** One line of a trace, with its line end: append-safe, and readable by line tools. */
export function formatTraceEvent(event: TraceEvent): string {
  return `${JSON.stringify(event)}\n`;
}

/** A whole trace as JSON Lines: the header, then one event a line. */
export function formatTrace({ header, events }: Trace): string {
  return formatTraceHeader(header) + events.map(formatTraceEvent).join("");
}

/**
 * Reads a trace. The last line may be cut off, as a recorder that died leaves it: then `cut` is
 * true. Members that are not known are left out.
 * @returns what is wrong, with the number of the line
 */
export function parseTrace(
  text: string,
  { maxEvents }: ParseTraceLimits = { maxEvents: 1_000_000 },
): ParseResult<Trace & { readonly cut: boolean }> {
  const events: TraceEvent[] = [];
  let header: TraceHeader | undefined;
  let number = 0;
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf("\n", start);
    const end = found === -1 ? text.length : found;
    const line = text.slice(start, end).trim();
    start = end + 1;
    number += 1;
    if (line === "") continue;
    const isLast = found === -1;
    const value = parseJson(line);
    if (!value.ok && isLast && header !== undefined) return parsed({ header, events, cut: true });
    if (!value.ok) return refused(`line ${number}: ${value.issue}`);
    const taken = header === undefined ? parseHeader(value.value) : parseEvent(value.value, events);
    if (!taken.ok) return refused(`line ${number}: ${taken.issue}`);
    header ??= taken.value as TraceHeader;
    if (events.length > maxEvents) {
      return refused(`line ${number}: more than ${maxEvents} events; cut the file into parts`);
    }
  }
  if (header === undefined) return refused("the file is empty; expected a trace as JSON Lines");
  return parsed({ header, events, cut: false });
}

function parseJson(line: string): ParseResult<unknown> {
  try {
    return parsed(JSON.parse(line) as unknown);
  } catch {
    return refused(`not JSON: ${describeValue(line)}`);
  }
}

function parseHeader(value: unknown): ParseResult<TraceHeader> {
  if (!isObject(value) || value["idewire"] !== FORMAT) {
    const wanted = `expected the header {"idewire":"${FORMAT}", …}`;
    return refused(`${wanted}, got ${describeValue(value)}`);
  }
  const header: Record<string, unknown> = {};
  for (const key of ["created", "ide", "agent", "dialect"]) {
    if (typeof value[key] === "string") header[key] = value[key];
  }
  const redacted = value["redacted"];
  if (Array.isArray(redacted)) {
    header["redacted"] = redacted.filter((what) => typeof what === "string");
  }
  return parsed(header);
}

function parseEvent(value: unknown, events: TraceEvent[]): ParseResult<TraceEvent> {
  if (!isObject(value)) return refused(`expected an event, got ${describeValue(value)}`);
  const fact = parseFact(value);
  if (!fact.ok) return fact;
  const { t, by } = value;
  const last = events.at(-1);
  if (typeof t !== "number" || !(t >= 0 && t < Number.MAX_SAFE_INTEGER)) {
    return refused(`"t" must be milliseconds since the beginning, got ${describeValue(t)}`);
  }
  // Events are numbered anew where a recorder dropped some: causes are mapped by position.
  const n = (last?.n ?? 0) + 1;
  const given = value["n"];
  if (given !== undefined && given !== n && !isLaterNumber(given, last)) {
    return refused(`"n" must count upwards from ${n}, got ${describeValue(given)}`);
  }
  const event: TraceEvent = {
    n: typeof given === "number" ? given : n,
    t: Math.max(t, last?.t ?? 0),
    ...(typeof by === "number" && by > 0 && by < (typeof given === "number" ? given : n) && { by }),
    ...fact.value,
  };
  events.push(event);
  return parsed(event);
}

function isLaterNumber(given: unknown, last: TraceEvent | undefined): boolean {
  return typeof given === "number" && Number.isSafeInteger(given) && given > (last?.n ?? 0);
}
