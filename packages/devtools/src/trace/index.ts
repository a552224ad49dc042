// Logs of the traffic between editors and agents: recording, reading, filtering, saving. Without DOM.

export { compareSessions } from "./comparison/compare-sessions.ts";
export type { RecordedSession, SessionComparison } from "./comparison/model.ts";
export { readSessions } from "./comparison/read-sessions.ts";
export { type Filter, type FilterSubject, parseFilter } from "./filter/filter.ts";
export { formatHar, parseHar } from "./format/har.ts";
export type { Direction, TraceEvent, TraceFact } from "./format/trace-event.ts";
export { formatTrace, type Trace, type TraceHeader } from "./format/trace-file.ts";
export { parseTrace } from "./format/trace-reader.ts";
export type { Problem } from "./problems/problem.ts";
export { ProblemIndex } from "./problems/problem-index.ts";
export { EventLog, type EventLogOptions } from "./recording/event-log.ts";
export { recordTransport } from "./recording/record-transport.ts";
export { type RedactOptions, redactTrace } from "./redaction/redact.ts";
export type { Redaction } from "./redaction/stand-ins.ts";
export {
  type ReplaySessionOptions,
  replaySession,
  type SessionReplay,
} from "./replay/replay-session.ts";
