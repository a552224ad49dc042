// Logs of the traffic between editors and agents: recording, reading, filtering, saving. Without DOM.

export type { EditorChange } from "@idewire/core/internal";
export type { DocSection, FieldDoc, ListedTool } from "./catalogue/field-docs.ts";
export { docsOf, fieldsOf } from "./catalogue/field-docs.ts";
export type { EventFacts } from "./catalogue/ide-events.ts";
export {
  claudeMention,
  claudeSelection,
  diagnosticsChanged,
  ideConnected,
  ideEvents,
  jetBrainsConnected,
  jetBrainsMention,
  jetBrainsSelection,
  logEvent,
  seed002Diagnostics,
  seed002Mention,
  seed002Selection,
} from "./catalogue/ide-events.ts";
export type { ToolAnswer, ToolFacts, ToolOrigin } from "./catalogue/ide-tools.ts";
export { claudeTools } from "./catalogue/ide-tools.ts";
export type { MethodFacts } from "./catalogue/mcp-methods.ts";
export { mcpMethods } from "./catalogue/mcp-methods.ts";
export type { Shape, ShapeCheckOptions, ShapeIssue } from "./catalogue/shape.ts";
export { checkShape, describeShape } from "./catalogue/shape.ts";
export type { SourceLink } from "./catalogue/source-links.ts";
export { describeSource, toSourceLinks } from "./catalogue/source-links.ts";
export type { CompareSessionsOptions } from "./comparison/compare-sessions.ts";
export { compareSessions } from "./comparison/compare-sessions.ts";
export type {
  ComparedMessages,
  HandshakeChange,
  ListComparison,
  MemberChange,
  RecordedSession,
  SessionAnswer,
  SessionComparison,
  SessionHandshake,
  SessionLists,
  SessionMessage,
  Side,
} from "./comparison/model.ts";
export { readSessions } from "./comparison/read-sessions.ts";
export type { ShownChange } from "./comparison/show-change.ts";
export { showChange } from "./comparison/show-change.ts";
export type {
  EndedRequest,
  TracedEvent,
  TracedMessage,
  TracedRequest,
} from "./conversation/conversation.ts";
export { Conversation } from "./conversation/conversation.ts";
export type {
  FrameKind,
  FrameReading,
  MessageKind,
  MessageReading,
  UnreadFrame,
} from "./conversation/read-frame.ts";
export { readFrame } from "./conversation/read-frame.ts";
export type { Explanation } from "./explain/explain.ts";
export { explainFrame } from "./explain/explain.ts";
export type { FrameForTest } from "./explain/frame-as-test.ts";
export { formatFrameAsTest } from "./explain/frame-as-test.ts";
export { describeFault } from "./faults/describe-fault.ts";
export type { Fault, FaultKind, FaultPlan, FaultRule } from "./faults/fault.ts";
export { parseFaultPlan } from "./faults/fault.ts";
export type { FrameInterceptor, FrameOutcome, TravellingFrame } from "./faults/fault-injector.ts";
export { FaultInjector, seededRandom } from "./faults/fault-injector.ts";
export type { FilterCompletion } from "./filter/complete.ts";
export { completeFilter } from "./filter/complete.ts";
export type { FilterPlace, FilterRegex } from "./filter/expression.ts";
export type {
  Filter,
  FilterResult,
  FilterSubject,
  ParseFilterOptions,
} from "./filter/filter.ts";
export { parseFilter } from "./filter/filter.ts";
export type {
  FilteredFramesOptions,
  KnownProblems,
  RegexMatches,
} from "./filter/filtered-frames.ts";
export { FilteredFrames } from "./filter/filtered-frames.ts";
export type { RegexJob } from "./filter/find-matches.ts";
export { findMatches, REGEX_LIMIT_MS } from "./filter/find-matches.ts";
export type { FilterKey } from "./filter/keys.ts";
export { filterKeys } from "./filter/keys.ts";
export type { Comparison } from "./filter/terms.ts";
export { formatHar, isHar, parseHar } from "./format/har.ts";
export type {
  ActionEvent,
  CloseEvent,
  ControlEvent,
  Direction,
  EditorEvent,
  EventKind,
  EventStamp,
  FaultEvent,
  FrameEvent,
  FrameForm,
  LockEvent,
  OpenEvent,
  TraceEvent,
  TraceFact,
  TranscriptEvent,
} from "./format/trace-event.ts";
export type { Trace, TraceHeader } from "./format/trace-file.ts";
export {
  formatTrace,
  formatTraceEvent,
  formatTraceHeader,
  formatTraceLines,
} from "./format/trace-file.ts";
export type {
  ParseTraceLimits,
  SkippedLine,
  TraceEnd,
  TraceReaderOptions,
} from "./format/trace-reader.ts";
export { parseTrace, TraceReader } from "./format/trace-reader.ts";
export type { Latency, LatencyTimes } from "./latency/latency.ts";
export { measureLatencies } from "./latency/latency.ts";
export type { Problem, ProblemCode } from "./problems/problem.ts";
export { problemRules } from "./problems/problem.ts";
export { ProblemIndex } from "./problems/problem-index.ts";
export type { ProblemLayer } from "./problems/problem-layer.ts";
export { problemLayers } from "./problems/problem-layer.ts";
export { cutEvent, cutText } from "./recording/cut-event.ts";
export type { EventLogOptions } from "./recording/event-log.ts";
export { EventLog, unitsOf } from "./recording/event-log.ts";
export type { EventRecorderOptions } from "./recording/event-recorder.ts";
export { EventRecorder } from "./recording/event-recorder.ts";
export { recordTransport } from "./recording/record-transport.ts";
export { describeRedactions } from "./redaction/describe-redactions.ts";
export type { RedactedTrace, RedactOptions, Redactor } from "./redaction/redact.ts";
export { createRedactor, redactInSteps, redactTrace } from "./redaction/redact.ts";
export type { Redaction } from "./redaction/stand-ins.ts";
export { recordedFolderFor } from "./replay/move-folder.ts";
export type { LeftOut, ReplaySessionOptions, SessionReplay } from "./replay/replay-session.ts";
export { replaySession } from "./replay/replay-session.ts";
export type { NumberedRows } from "./rows/event-rows.ts";
export { EventRows } from "./rows/event-rows.ts";
export { firstFrom } from "./rows/first-from.ts";
export type { FrameFacts, FrameRows, Unanswered } from "./rows/frame-index.ts";
export { FrameIndex, isWaiting, unansweredReasons } from "./rows/frame-index.ts";
export { isListed } from "./rows/is-listed.ts";
export type {
  CauseLink,
  SequenceLine,
  SequenceOptions,
  WaitingBar,
} from "./rows/sequence-lines.ts";
export { SequenceLines } from "./rows/sequence-lines.ts";
