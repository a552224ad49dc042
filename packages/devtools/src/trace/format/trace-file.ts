import type { TraceEvent } from "./trace-event.ts";

/** The first line of a trace file. */
export interface TraceHeader {
  /** ISO 8601. */
  readonly created?: string;
  /** The names that the two ends gave themselves. */
  readonly ide?: string;
  readonly agent?: string;
  /** Of a recording of MCP servers, in place of the editor: the names of the servers. */
  readonly server?: string;
  readonly dialect?: string;
  /** The kinds of values that were replaced before the trace was written. */
  readonly redacted?: readonly string[];
}

/** A recorded log. */
export interface Trace {
  readonly header: TraceHeader;
  readonly events: readonly TraceEvent[];
}

/** The format and its version, as the header names them. */
export const TRACE_FORMAT = "trace/1";

/** The header as a line, with its line end. */
export function formatTraceHeader(header: TraceHeader): string {
  return `${JSON.stringify({ idewire: TRACE_FORMAT, clock: "ms", ...header })}\n`;
}

/** An event as a line, with its line end, so that a recorder can append. */
export function formatTraceEvent(event: TraceEvent): string {
  return `${JSON.stringify(event)}\n`;
}

/** The lines of a trace, each with its line end: the header, then one event a line. */
export function* formatTraceLines({ header, events }: Trace): Generator<string> {
  yield formatTraceHeader(header);
  for (const event of events) yield formatTraceEvent(event);
}

/** A whole trace as JSON Lines. */
export function formatTrace(trace: Trace): string {
  return [...formatTraceLines(trace)].join("");
}
