// Logs of what editors and agents said: to record, read, filter and keep them. It imports no DOM.

export type { EventLogOptions } from "./event-log.ts";
export { EventLog } from "./event-log.ts";
export type { Explanation } from "./explain.ts";
export { explainFrame } from "./explain.ts";
export type { Fault, FaultKind, FaultPlan, FaultRule } from "./faults/fault.ts";
export { describeFault, parseFaultPlan } from "./faults/fault.ts";
export type { TravellingFrame, Verdict } from "./faults/fault-injector.ts";
export { FaultInjector, seededRandom } from "./faults/fault-injector.ts";
export type { FilterCompletion } from "./filter/complete.ts";
export { completeFilter } from "./filter/complete.ts";
export type { Filter, FilterSubject } from "./filter/filter.ts";
export { parseFilter } from "./filter/filter.ts";
export type { FilterKey } from "./filter/keys.ts";
export { filterKeys } from "./filter/keys.ts";
export type { Comparison } from "./filter/terms.ts";
export type { FrameFacts, FrameKind, FrameReading } from "./frame-facts.ts";
export { FrameIndex, opposite, readFrame } from "./frame-facts.ts";
export { formatHar, isHar, parseHar } from "./har.ts";
export { recordTransport } from "./record-transport.ts";
export type { RedactedTrace, Redaction, RedactOptions, Redactor } from "./redact.ts";
export { createRedactor, redactTrace } from "./redact.ts";
export type { SimulatedWire, SimulatedWireOptions } from "./simulated-wire.ts";
export { createSimulatedWire } from "./simulated-wire.ts";
export type {
  CloseEvent,
  ControlEvent,
  Direction,
  EditorChange,
  EditorEvent,
  EventKind,
  EventStamp,
  FaultEvent,
  FrameEvent,
  GestureEvent,
  LockEvent,
  OpenEvent,
  TraceEvent,
  TraceFact,
  TranscriptEvent,
} from "./trace-event.ts";
export type { ParseTraceLimits, Trace, TraceHeader } from "./trace-file.ts";
export { formatTrace, formatTraceEvent, formatTraceHeader, parseTrace } from "./trace-file.ts";
