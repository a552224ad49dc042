// For the sibling packages: not versioned, not part of the public API.

export type { EditorChange } from "@idewire/core/internal";
export type { Check } from "./checks/check.ts";
export { checks } from "./checks/checks.ts";
export { httpChecks } from "./checks/list/http.ts";
export type { HttpAnswer, HttpProbe, ServerAccess } from "./checks/port.ts";
export { summariseChecks } from "./checks/report/count.ts";
export { cutEvent, evidenceOf } from "./checks/report/evidence.ts";
export { mcpServer, serverChecks } from "./checks/server/server-checks.ts";
export {
  type CheckFacts,
  type CheckGroup,
  type CheckVerdict,
  checkGroups,
  groupOf,
} from "./checks/verdict.ts";
export { InspectedServer } from "./inspection/inspected-server.ts";
export { InspectedServers } from "./inspection/inspected-servers.ts";
export { InspectionLog } from "./inspection/inspection-log.ts";
export { inspectionHandlers } from "./inspection/serve-inspection.ts";
export type { ServerControl, ServerRestarts, ServerRoute } from "./inspection/server-route.ts";
export type { View } from "./inspection/views.ts";
export { formatJunit, type JunitCase } from "./junit.ts";
export { RecordedAnswers } from "./mock/recorded-answers.ts";
export type { PageCommentTag } from "./page-comment-tags.ts";
export { pageEvents, pageResults } from "./page-protocol/answers.ts";
export { PageClient } from "./page-protocol/client.ts";
export type {
  CommentCandidate,
  CommentMethods,
  PageComment,
  PageCommentAct,
} from "./page-protocol/comment-methods.ts";
export type {
  EditorInspectionFacts,
  InspectedServerFacts,
  InspectionFacts,
  InspectMethods,
  OpenedApp,
  ServerInfo,
  ServerInspectionFacts,
  ServerQuestion,
} from "./page-protocol/inspect-methods.ts";
export { LogSender, type SentState } from "./page-protocol/log-sender.ts";
export type {
  AgentMode,
  AgentSessionFacts,
  AgentStart,
  CheckTarget,
  CommentPageMethod,
  DoctorAdvice,
  DoctorReport,
  DoctorStep,
  FolderPageMethod,
  InspectPageMethod,
  Joined,
  PageChangeTexts,
  PageCommand,
  PageMethods,
  StartedAgent,
} from "./page-protocol/methods.ts";
export { MAX_QUERY_UNITS, MAX_TEXT_UNITS, pageParams, pageVerbs } from "./page-protocol/params.ts";
export {
  deliverToPage,
  notifyPage,
  type PageHandlers,
  servePage,
  servePageCommands,
} from "./page-protocol/server.ts";
export { formatSarif, type SarifResult, type SarifRule } from "./sarif.ts";
export { ScriptedIde } from "./scenario/editor/scripted-ide.ts";
export type { SeenFrame } from "./scenario/editor/seen.ts";
export { memoryFiles, type WorkspaceFiles } from "./scenario/editor/workspace-files.ts";
export { scenarioLimits } from "./scenario/file/limits.ts";
export {
  type ActionStep,
  type AgentStep,
  type ScenarioActions,
  scenarioDefaults,
  scenarioFiles,
} from "./scenario/file/model.ts";
export type { TraceOmission } from "./scenario/from-trace/omissions.ts";
export {
  type ScenarioText,
  scenarioTextFromTrace,
} from "./scenario/from-trace/scenario-from-trace.ts";
export type { Mismatch } from "./scenario/pattern/pattern.ts";
export { performStep } from "./scenario/play/actions.ts";
export { dropAll, notifyAll, type ScenarioComment } from "./scenario/play/context.ts";
export { describeEvent } from "./scenario/play/words.ts";
export { Breakpoint, type HeldFrame } from "./simulation/breakpoint.ts";
export { createSimulatedPort } from "./simulation/check-port.ts";
export { toComparisonLines } from "./simulation/comparison-lines.ts";
export {
  type ComparedAction,
  type ComparedFrame,
  compareAction,
  compareDialects,
  comparedActions,
  type DialectView,
} from "./simulation/dialect-comparison.ts";
export { type LogState, LogStates } from "./simulation/log-states.ts";
export { createSimulatedWire } from "./simulation/simulated-wire.ts";
export type { ChangeKind, SurfaceChange } from "./surface/change.ts";
export { compareSurfaces } from "./surface/compare-surfaces.ts";
export { formatSurfaceJunit, formatSurfaceSarif } from "./surface/report.ts";
export { formatSurface, parseSurface, type ServerSurface } from "./surface/server-surface.ts";
export { findRefusals, type NamedTool, type VendorRefusal } from "./surface/vendor-limits.ts";
export { occurrencesOf, type TextMatching } from "./text-search/occurrences.ts";
export {
  type FoundFile,
  type FoundLine,
  type SearchEnd,
  searchFiles,
  type TextQuery,
} from "./text-search/search-files.ts";
export { type DocSection, docsOf, type ListedTool } from "./trace/catalogue/field-docs.ts";
export { type EventFacts, ideEvents } from "./trace/catalogue/ide-events.ts";
export { claudeTools, type ToolOrigin } from "./trace/catalogue/ide-tools.ts";
export { toSourceLinks } from "./trace/catalogue/source-links.ts";
export type {
  ComparedMessages,
  ListComparison,
  MemberChange,
  SessionMessage,
} from "./trace/comparison/model.ts";
export { showChange } from "./trace/comparison/show-change.ts";
export {
  Conversation,
  type TracedMessage,
  type TracedRequest,
} from "./trace/conversation/conversation.ts";
export { describeClosing } from "./trace/explain/describe-closing.ts";
export { type EndNames, editorEnds, endsOf, mcpEnds } from "./trace/explain/end-names.ts";
export { explainFrame } from "./trace/explain/explain.ts";
export { explainHttp, type HttpMeaning } from "./trace/explain/explain-http.ts";
export { formatFrameAsTest } from "./trace/explain/frame-as-test.ts";
export { type FrameOutcome, outcomeOf, summariseFrame } from "./trace/explain/frame-info.ts";
export { describeFault } from "./trace/faults/describe-fault.ts";
export {
  type Fault,
  type FaultKind,
  type FaultPlan,
  type FaultRule,
  parseFaultPlan,
} from "./trace/faults/fault.ts";
export { FaultInjector, type FrameInterceptor } from "./trace/faults/fault-injector.ts";
export { completeFilter } from "./trace/filter/complete.ts";
export type { FilterPlace, FilterRegex } from "./trace/filter/expression.ts";
export {
  FilteredFrames,
  type KnownProblems,
  type RegexMatches,
} from "./trace/filter/filtered-frames.ts";
export { findMatches, REGEX_LIMIT_MS, type RegexJob } from "./trace/filter/find-matches.ts";
export { filterKeys } from "./trace/filter/keys.ts";
export type { FrameEvent, HttpEvent, HttpHeader } from "./trace/format/trace-event.ts";
export {
  formatTraceEvent,
  formatTraceHeader,
  formatTraceLines,
} from "./trace/format/trace-file.ts";
export { type SkippedLine, TraceReader } from "./trace/format/trace-reader.ts";
export { type Latency, measureLatencies } from "./trace/latency/latency.ts";
export { problemRules } from "./trace/problems/problem.ts";
export { EventRecorder } from "./trace/recording/event-recorder.ts";
export { startedAt } from "./trace/recording/started-at.ts";
export { describeRedactions } from "./trace/redaction/describe-redactions.ts";
export { createRedactor, type RedactedTrace, redactInSteps } from "./trace/redaction/redact.ts";
export { recordedFolderFor } from "./trace/replay/move-folder.ts";
export type { LeftOut } from "./trace/replay/replay-session.ts";
export { EventRows, type NumberedRows } from "./trace/rows/event-rows.ts";
export { firstFrom } from "./trace/rows/first-from.ts";
export {
  describeUnanswered,
  type FrameFacts,
  FrameIndex,
  type FrameRows,
  isOpenRequest,
} from "./trace/rows/frame-index.ts";
export { type HttpExchange, HttpExchanges, type StreamEvent } from "./trace/rows/http-exchanges.ts";
export { isListed } from "./trace/rows/is-listed.ts";
export {
  type CauseLink,
  type RequestBar,
  type SequenceLine,
  SequenceLines,
} from "./trace/rows/sequence-lines.ts";
