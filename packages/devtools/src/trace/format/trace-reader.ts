import {
  describeValue,
  isCostly,
  isObject,
  type ParseResult,
  parsed,
  refused,
} from "@idewire/core/internal";
import type { TraceEvent } from "./trace-event.ts";
import { parseFact } from "./trace-fact.ts";
import { TRACE_FORMAT, type Trace, type TraceHeader } from "./trace-file.ts";

/** Longer than any event that consists mostly of structure, such as a long list of diagnostics. */
const MAX_PLAIN_UNITS = 4_000_000;

/** A longer note of a mark is cut; UTF-16 units. */
const MAX_NOTE_UNITS = 4_000;

/** How much of a trace file is read. */
export interface ParseTraceLimits {
  /** 1,000,000 when the limits are left out. */
  readonly maxEvents: number;
}

/** A line of a trace that is not an event. */
export interface SkippedLine {
  /** Counted from 1. */
  readonly line: number;
  /** What was expected. */
  readonly issue: string;
}

/** How a trace is read. */
export interface TraceReaderOptions extends ParseTraceLimits {
  /** Called for a line that is not an event, which is skipped; without it, such a line is refused. */
  readonly onskip?: (skipped: SkippedLine) => void;
}

/** The end of a trace: all but its events. */
export interface TraceEnd {
  readonly header: TraceHeader;
  /** The last line was incomplete, as after the crash of a recorder. */
  readonly cut: boolean;
}

/**
 * Reads a trace in chunks, wherever they are cut: the events are those of the whole text.
 * Must not be used after an error.
 */
export class TraceReader {
  readonly #maxEvents: number;
  readonly #onskip: TraceReaderOptions["onskip"];
  #header: TraceHeader | undefined;
  #last: TraceEvent | undefined;
  #count = 0;
  #line = 0;
  /** The beginning of the incomplete last line. */
  #chunks: string[] = [];

  constructor({ maxEvents, onskip }: TraceReaderOptions = { maxEvents: 1_000_000 }) {
    this.#maxEvents = maxEvents;
    this.#onskip = onskip;
  }

  /**
   * Reads the next chunk.
   * @returns the events whose lines are complete now; or an issue with the number of its line
   */
  push(text: string): ParseResult<readonly TraceEvent[]> {
    const events: TraceEvent[] = [];
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      this.#chunks.push(text.slice(start, end));
      start = end + 1;
      const read = this.#read(this.#takeLine());
      if (!read.ok) return read;
      if (read.value !== undefined) events.push(read.value);
    }
    if (start < text.length) this.#chunks.push(text.slice(start));
    return parsed(events);
  }

  /** Ends the text; the last line may lack its line end, or be incomplete. */
  end(): ParseResult<TraceEnd & { readonly events: readonly TraceEvent[] }> {
    const line = this.#takeLine();
    const hadHeader = this.#header !== undefined;
    const isCut = hadHeader && line !== "" && !parseJson(line).ok;
    if (isCut) this.#onskip?.({ line: this.#line + 1, issue: "the last line is incomplete" });
    const read = isCut ? parsed(undefined) : this.#read(line);
    if (!read.ok) return read;
    const header = this.#header;
    if (header === undefined) {
      return refused("the file is empty; expected a trace as JSON Lines");
    }
    return parsed({ header, cut: isCut, events: read.value === undefined ? [] : [read.value] });
  }

  #takeLine(): string {
    const line = this.#chunks.length === 1 ? (this.#chunks[0] ?? "") : this.#chunks.join("");
    this.#chunks = [];
    return line.trim();
  }

  /** Undefined for the header and for an empty line. */
  #read(line: string): ParseResult<TraceEvent | undefined> {
    this.#line += 1;
    if (line === "") return parsed(undefined);
    const value = parseJson(line);
    if (!value.ok) return this.#skip(value.issue);
    if (this.#header === undefined) {
      const header = parseHeader(value.value);
      if (!header.ok) return this.#refuse(header.issue);
      this.#header = header.value;
      return parsed(undefined);
    }
    const event = parseEvent(value.value, this.#last);
    if (!event.ok) return this.#skip(event.issue);
    this.#last = event.value;
    this.#count += 1;
    if (this.#count <= this.#maxEvents) return event;
    return this.#refuse(`more than ${this.#maxEvents} events; cut the file into parts`);
  }

  /** A text without a header is refused. */
  #skip(issue: string): ParseResult<undefined> {
    if (this.#onskip === undefined || this.#header === undefined) return this.#refuse(issue);
    this.#onskip({ line: this.#line, issue });
    return parsed(undefined);
  }

  #refuse(issue: string): ParseResult<never> {
    return refused(`line ${this.#line}: ${issue}`);
  }
}

/**
 * Parses a trace. If the last line is incomplete, as after the crash of a recorder, `cut` is true.
 * Unknown members are left out.
 * @returns the trace, or an issue with the number of its line
 */
export function parseTrace(
  text: string,
  limits?: ParseTraceLimits,
): ParseResult<Trace & { readonly cut: boolean }> {
  const reader = new TraceReader(limits);
  const read = reader.push(text);
  if (!read.ok) return read;
  const end = reader.end();
  if (!end.ok) return end;
  const { header, cut, events } = end.value;
  return parsed({ header, cut, events: [...read.value, ...events] });
}

function parseJson(line: string): ParseResult<unknown> {
  // Events of idewire never are: their frames are strings.
  if (line.length > MAX_PLAIN_UNITS && isCostly(line)) {
    return refused("more values, or deeper ones, than an event has");
  }
  try {
    return parsed(JSON.parse(line) as unknown);
  } catch {
    return refused(`not JSON: ${describeValue(line)}`);
  }
}

function parseHeader(value: unknown): ParseResult<TraceHeader> {
  if (!isObject(value) || value["idewire"] !== TRACE_FORMAT) {
    const wanted = `expected the header {"idewire":"${TRACE_FORMAT}", …}`;
    return refused(`${wanted}, saw ${describeValue(value)}`);
  }
  const header: Record<string, unknown> = {};
  for (const key of ["created", "ide", "agent", "server", "dialect"]) {
    if (typeof value[key] === "string") header[key] = value[key];
  }
  const redacted = value["redacted"];
  if (Array.isArray(redacted)) {
    header["redacted"] = redacted.filter((what) => typeof what === "string");
  }
  return parsed(header);
}

function parseEvent(value: unknown, last: TraceEvent | undefined): ParseResult<TraceEvent> {
  if (!isObject(value)) return refused(`expected an event, saw ${describeValue(value)}`);
  const fact = parseFact(value);
  if (!fact.ok) return fact;
  const { t, by, mark } = value;
  if (typeof t !== "number" || !(t >= 0 && t < Number.MAX_SAFE_INTEGER)) {
    return refused(`"t" must be a number of milliseconds since the start, saw ${describeValue(t)}`);
  }
  // A trace without numbers is numbered here.
  const n = (last?.n ?? 0) + 1;
  const given = value["n"];
  if (given !== undefined && given !== n && !isLaterNumber(given, last)) {
    return refused(`"n" must count upwards from ${n}, saw ${describeValue(given)}`);
  }
  const event: TraceEvent = {
    n: typeof given === "number" ? given : n,
    t: Math.max(t, last?.t ?? 0),
    ...(typeof by === "number" && by > 0 && by < (typeof given === "number" ? given : n) && { by }),
    ...(typeof mark === "string" && { mark: mark.slice(0, MAX_NOTE_UNITS) }),
    ...fact.value,
  };
  return parsed(event);
}

function isLaterNumber(given: unknown, last: TraceEvent | undefined): boolean {
  return typeof given === "number" && Number.isSafeInteger(given) && given > (last?.n ?? 0);
}
