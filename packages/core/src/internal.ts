// For the sibling packages: not versioned, not part of the public API.

// Discovery files
export { claudeDiscovery } from "./discovery/claude-discovery.ts";
export {
  type DiscoveryFolder,
  type DiscoveryFormat,
  GENERATOR,
  type ServerFacts,
  type ServerFile,
} from "./discovery/discovery-format.ts";
export { jetBrainsDiscovery } from "./discovery/jetbrains-discovery.ts";
// Errors, events and parse results
export { exactly } from "./exactly.ts";
// The IDE: dialects
export { agentTitle } from "./ide/agent-title.ts";
// The IDE: changes of files by agents
export {
  type Change,
  type ChangeState,
  type ChangeTexts,
  changeStates,
  describeChangeState,
  isOpenChange,
} from "./ide/changes/change.ts";
export { type KnownText, KnownTexts } from "./ide/changes/known-texts.ts";
export {
  type ChangeComment,
  composeComments,
  describeCommentedLines,
  quoteOf,
} from "./ide/changes/line-comments.ts";
export {
  type CommentOutlet,
  describeSent,
  type SentComments,
  sendComments,
} from "./ide/changes/send-comments.ts";
export type { AgentHeaders, DialectAgent, EndpointSpec } from "./ide/dialect.ts";
export { encodeFileDiagnostics } from "./ide/dialects/claude-code.ts";
export { hasModes, hasNoDiff, losesDiagnostics } from "./ide/dialects/claude-notifications.ts";
export {
  askingArguments,
  askingModeWords,
  claudeCommand,
  isAskingMode,
} from "./ide/dialects/claude-start.ts";
// The IDE: diffs
export { DiffCalls } from "./ide/diffs/diff-calls.ts";
export { type DiffAnsweredIn, type DiffEndedBy, describeDiffEnd } from "./ide/diffs/diff-end.ts";
export { describeLostBytes, FILE_CHANGED } from "./ide/diffs/diff-notes.ts";
export { type OutsideTexts, outsideTexts } from "./ide/diffs/outside-texts.ts";
export type { DiffAnswer, PendingDiffEvents, ShownDiff } from "./ide/diffs/pending-diffs.ts";
// The IDE: commands, and the editor in memory
export {
  type CommandOutcome,
  commandOutcomes,
  explainFailure,
  requestCommand,
  serveCommands,
} from "./ide/editor/command-protocol.ts";
export type { EditorChange } from "./ide/editor/editor-change.ts";
export type {
  CommandableEditor,
  EditOptions,
  EditorCommandMembers,
  EditorCommandOf,
  EditorCommandResult,
  EditorVerb,
} from "./ide/editor/editor-command.ts";
export { locateCommand } from "./ide/editor/editor-command.ts";
export {
  editorCommandInputs,
  editorCommandSchemas,
  isEditorVerb,
} from "./ide/editor/editor-command-schema.ts";
export type {
  CloseDiffReason,
  ClosedDiff,
  DiffId,
  LineComment,
  SessionId,
} from "./ide/editor-host.ts";
// The IDE: host, dialect, tool, share policy
export { FocusWatch } from "./ide/focus-watch.ts";
export { type BoundTool, bindTool } from "./ide/ide-tool.ts";
export { JoinedHosts } from "./ide/joined-hosts.ts";
export { mapHost, mapShare } from "./ide/map-host.ts";
export { describeUnable, type MentionDelivery } from "./ide/mention-delivery.ts";
export { diagnosticSchema, rangeSchema } from "./ide/model-schemas.ts";
export { overrideHost } from "./ide/override-host.ts";
export { type ConnectHostOptions, HostMethod } from "./ide/remote-host/connect-host.ts";
export type { SentFrame, ShareChange } from "./ide/remote-host/wire-calls.ts";
// The IDE: sessions
export type { AnnotateDiagnostics, DiagnosticsCall } from "./ide/session/annotate-diagnostics.ts";
export type { AgentFacts, IdeServerEvents, SentFact } from "./ide/session/ide-session.ts";
export { watchDiagnostics } from "./ide/session/watch-diagnostics.ts";
export {
  type AgentWrite,
  type UnreviewedWrites,
  WriteWatch,
  type WriteWatchOptions,
} from "./ide/session/write-watch.ts";
export { mayShare, notShared, shareLevels, shareState } from "./ide/share-policy.ts";
export { textOfRange } from "./ide/text-range.ts";
export type { SchemaValidator } from "./json-schema/validator.ts";
export { requiredElicitations } from "./mcp/client/elicitation.ts";
export type { ClientSession } from "./mcp/client/feature.ts";
export type { HeaderTransport } from "./mcp/client/modern/header-transport.ts";
export { pause } from "./mcp/client/pause.ts";
export type { OpenTransport } from "./mcp/client/reopening.ts";
export type { ListenTopics } from "./mcp/client/subscription.ts";
// MCP: what both ends share
export { textResult } from "./mcp/content.ts";
export type { UrlElicitation, UrlOutcome } from "./mcp/elicitation.ts";
export { logLevels } from "./mcp/logging.ts";
export { nameIn } from "./mcp/named-method.ts";
export type { PromptArguments } from "./mcp/prompts.ts";
export {
  type CompletionReference,
  type InitializeResult,
  infoOf,
  Method,
  type ToolAnnotations,
} from "./mcp/protocol.ts";
export { isModernError } from "./mcp/refusals.ts";
export { type CompiledInput, compileInput } from "./mcp/schemas/compile-schema.ts";
export {
  type HeaderParameter,
  headerParametersOf,
  valueAt,
} from "./mcp/schemas/header-parameters.ts";
export { plainInput } from "./mcp/schemas/plain-input.ts";
// MCP: what several instances of a server share
export type { RequestTarget } from "./mcp/server/caller.ts";
// MCP: the server
export { type Conversation, callbacksOf, type OpenOptions } from "./mcp/server/conversation.ts";
export type { LegacyServer, ServedConversation } from "./mcp/server/legacy-server.ts";
export type { SessionState } from "./mcp/server/server-connection.ts";
export type {
  BeginOptions,
  SessionChange,
  SessionStore,
  SessionTimes,
  SessionUse,
  StoredSession,
  UsedSession,
} from "./mcp/server/session-store.ts";
export { type Share, Shares } from "./mcp/server/shares.ts";
export type { SkillFile } from "./mcp/server/skills/skill.ts";
export type {
  EventStore,
  FollowedStream,
  LeaseStore,
  MessageBus,
  NewEvent,
  RecordStore,
  ReplayStore,
  StoredEvent,
  StreamInfo,
  StreamListener,
} from "./mcp/server/store.ts";
export type { StoredTask } from "./mcp/server/tasks/task.ts";
export {
  isLegacyRevision,
  type LegacyRevision,
  legacyRevisions,
  modernRevision,
  revisions,
} from "./mcp/versions.ts";
export { type OptionNames, optionNames, requireKnownOptions, requireMembers } from "./misuse.ts";
export { type ParseResult, parsed, refused } from "./parse-result.ts";
// Paths
export { fromFileUri, fromRawFileUri, toRawFileUri } from "./paths/file-uri.ts";
export { type PathRule, parsePathRule } from "./paths/path-map.ts";
export { comparisonKey, relativeTo } from "./paths/posix-path.ts";
// JSON-RPC
export { BackOff, backOffMs } from "./rpc/back-off.ts";
export { openBatch } from "./rpc/batch.ts";
export { systemClock } from "./rpc/clock.ts";
export { coalesced } from "./rpc/coalesced.ts";
export { answerLimits, isCostly, parseJson } from "./rpc/costly-json.ts";
export { isLoopbackName } from "./rpc/loopback-name.ts";
export {
  asObject,
  formatNotification,
  formatRequest,
  isObject,
  isRequestId,
  type RawMessage,
  type RequestId,
  toRpcError,
} from "./rpc/message.ts";
export type { Redactor } from "./rpc/redactor.ts";
export { createRequestLifecycle, type RequestLifecycle } from "./rpc/request-lifecycle.ts";
export { type StateCarrier, StateOutbox } from "./rpc/state-outbox.ts";
export { LOW_WATER_BYTES, MAX_FRAME_BYTES, type RequestTracker } from "./rpc/transport.ts";
// Secrets
export { createToken } from "./secrets/create-token.ts";
export { DecodedText, replaceRanges, type TextRange } from "./secrets/decoded-text.ts";
export { containsSecret, findSecrets, redactSecrets } from "./secrets/find-secrets.ts";
export { findSpellings, redactKnown, spellingsOf } from "./secrets/known-secrets.ts";
export { isPlaceholder } from "./secrets/placeholders.ts";
export { isSecretPath } from "./secrets/secret-paths.ts";
export { isSecretKey } from "./secrets/secret-patterns.ts";
export type { Expectation } from "./testing/contract-runner.ts";
// Text: lines, positions, hidden characters
export { countAddedHidden, describeAddedHidden } from "./text/added-hidden.ts";
export { asProposed, asWritten } from "./text/agent-endings.ts";
export { fromBase64, toBase64, toBinary } from "./text/base64.ts";
export { changedPart } from "./text/changed-part.ts";
export { decodeFile } from "./text/decode-file.ts";
export { describePath, describeValue } from "./text/describe-value.ts";
export { findJsonError } from "./text/find-json-error.ts";
export {
  findHidden,
  labelOfHidden,
  showHidden,
  showHiddenInLine,
} from "./text/hidden-characters.ts";
export { nameOfHidden } from "./text/hidden-names.ts";
export { namesOfPointer, pointerTo } from "./text/json-pointer.ts";
export {
  joinText,
  type LaidOutText,
  type LineEnding,
  layOut,
  withEnding,
} from "./text/line-endings.ts";
export { mergeTyped } from "./text/merge-typed.ts";
export { inOneLine } from "./text/one-line.ts";
export { shellQuote } from "./text/shell-quote.ts";
export { countLineEnds, positionAt, TextLines } from "./text/text-lines.ts";
export { cutText, wellFormed } from "./text/well-formed.ts";
