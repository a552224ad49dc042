// For the packages beside this one: not versioned, and no part of the public API.

// Discovery files
export {
  type ClaudeLockFile,
  formatClaudeLockFile,
  LOCK_FILE_GENERATOR,
  lockFileName,
  parseClaudeLockFile,
  portOfLockFile,
} from "./discovery/claude-lock-file.ts";
export {
  formatJetBrainsFile,
  JETBRAINS_FOLDER,
  type JetBrainsFile,
  jetBrainsFileName,
  parseJetBrainsFile,
  portOfJetBrainsFile,
} from "./discovery/jetbrains-file.ts";
// Errors, events and parse results
export { exactly } from "./exactly.ts";
export type { DiscoveryKind } from "./ide/dialect.ts";
// The IDE: dialects
export { encodeFileDiagnostics } from "./ide/dialects/claude-code.ts";
export { hasNoDiff } from "./ide/dialects/claude-notifications.ts";
// The IDE: diffs
export type { DiffCalls, DiffCallsOptions } from "./ide/diffs/diff-calls.ts";
export { type DiffAnsweredIn, type DiffEndedBy, describeDiffEnd } from "./ide/diffs/diff-end.ts";
export type { DiffAnswer, PendingDiffEvents, ShownDiff } from "./ide/diffs/pending-diffs.ts";
// The IDE: commands, and the editor in memory
export {
  type CommandOutcome,
  commandMethod,
  commandOutcomes,
  explainFailure,
  requestCommand,
  type ServedCommands,
  serveCommands,
} from "./ide/editor/command-protocol.ts";
export type { EditorChange } from "./ide/editor/editor-change.ts";
export type {
  CommandableEditor,
  EditorCommandMembers,
  EditorCommandOf,
  EditorCommandResult,
  EditorVerb,
} from "./ide/editor/editor-command.ts";
export {
  type EditorCommandInputs,
  editorCommandInputs,
  editorCommandSchemas,
  isEditorVerb,
  locateCommand,
} from "./ide/editor/editor-command-schema.ts";
export type {
  CloseDiffReason,
  ClosedDiff,
  DiffId,
  LineComment,
  SessionId,
} from "./ide/editor-host.ts";
// The IDE: host, dialect, tool, share policy
export {
  type BoundTool,
  bindTool,
  type NoArguments,
  noInput,
  type ToolBinding,
} from "./ide/ide-tool.ts";
export { mapHost, mapShare } from "./ide/map-host.ts";
export { diagnosticSchema, linesSchema, rangeSchema } from "./ide/model-schemas.ts";
export { overrideHost } from "./ide/override-host.ts";
// The IDE: a host behind a wire
export { HostMethod } from "./ide/remote-host/connect-host.ts";
// The IDE: sessions
export type { DiagnosticsCall, DiagnosticsRemarks } from "./ide/session/diagnostics-remarks.ts";
export type { IdeServerEvents, SentFact } from "./ide/session/ide-session.ts";
export { watchDiagnostics } from "./ide/session/watch-diagnostics.ts";
export type { WriteWatchChoices } from "./ide/session/write-watch.ts";
export { type UnreviewedWrites, watchWrites } from "./ide/session/write-watch.ts";
export { mayShare, notShared, shareSelection } from "./ide/share-policy.ts";
export { textOfRange } from "./ide/text-range.ts";
// The IDE: tools
export {
  type CheckDocumentDirtyArguments,
  checkDocumentDirty,
} from "./ide/tools/check-document-dirty.ts";
export { closeAllDiffTabs } from "./ide/tools/close-all-diff-tabs.ts";
export { type CloseTabArguments, closeTab } from "./ide/tools/close-tab.ts";
export { getCurrentDiagnostics } from "./ide/tools/get-current-diagnostics.ts";
export { type GetDiagnosticsArguments, getDiagnostics } from "./ide/tools/get-diagnostics.ts";
export {
  type GetFileDiagnosticsArguments,
  getFileDiagnostics,
} from "./ide/tools/get-file-diagnostics.ts";
export { getLatestSelection } from "./ide/tools/get-latest-selection.ts";
export { getSelection } from "./ide/tools/get-selection.ts";
export { getWorkspaceFolders } from "./ide/tools/get-workspace-folders.ts";
export { listOpenDocuments } from "./ide/tools/list-open-documents.ts";
export { type OpenDiffArguments, openDiff } from "./ide/tools/open-diff.ts";
export {
  type OpenDiffInProjectArguments,
  openDiffInProject,
} from "./ide/tools/open-diff-in-project.ts";
export { type OpenedFile, type OpenFileArguments, openFile } from "./ide/tools/open-file.ts";
export { type OpenFilePathArguments, openFilePath } from "./ide/tools/open-file-path.ts";
export { type OpenFilesArguments, openFiles } from "./ide/tools/open-files.ts";
export { type ReformatFileArguments, reformatFile } from "./ide/tools/reformat-file.ts";
export { type SaveDocumentArguments, saveDocument } from "./ide/tools/save-document.ts";
export {
  type SetCursorPositionArguments,
  setCursorPosition,
} from "./ide/tools/set-cursor-position.ts";
export { type SetSelectionArguments, setSelection } from "./ide/tools/set-selection.ts";
export type { SchemaValidator } from "./json-schema/validator.ts";
export { infoOf } from "./mcp/client/client-options.ts";
export type { ClientSession } from "./mcp/client/feature.ts";
export type { HeaderTransport } from "./mcp/client/modern/header-transport.ts";
export type { OpenTransport } from "./mcp/client/reopening.ts";
export type { ListenTopics } from "./mcp/client/subscription.ts";
// MCP: the client
// MCP: what both ends share
export { errorResult, structuredResult, textResult } from "./mcp/content.ts";
export type { UrlElicitation, UrlOutcome } from "./mcp/elicitation.ts";
export { logLevels } from "./mcp/logging.ts";
export { nameIn } from "./mcp/named-method.ts";
export type { PromptArguments } from "./mcp/prompts.ts";
export {
  type CompletionReference,
  type InitializeResult,
  Method,
  mcpRequestLifecycle,
  mergeCapabilities,
  type ObjectSchema,
  type ToolAnnotations,
} from "./mcp/protocol.ts";
// MCP: schemas of tools
export { isModernError } from "./mcp/refusals.ts";
export { type CompiledInput, compileInput } from "./mcp/schemas/compile-schema.ts";
export {
  type HeaderParameter,
  headerParametersOf,
  valueAt,
} from "./mcp/schemas/header-parameters.ts";
export { plainInput } from "./mcp/schemas/plain-input.ts";
// MCP: the modern era of a server
export type { CacheableMethod } from "./mcp/server/cache-hints.ts";
// MCP: the server
export type { Caller, ClientSettings } from "./mcp/server/caller.ts";
export type { Conversation, OpenOptions } from "./mcp/server/conversation.ts";
// MCP: the server's features
export { createUriMatcher } from "./mcp/server/features/uri-template.ts";
export type { ConnectionObserver, SessionState } from "./mcp/server/server-connection.ts";
export type { AttachedServer, FeatureHandler } from "./mcp/server/server-feature.ts";
export type {
  ModernServer,
  ServerDefinition,
} from "./mcp/server/server-options.ts";
export type {
  BeginOptions,
  SessionChange,
  SessionStore,
  SessionTimes,
  SessionUse,
  StoredSession,
  UsedSession,
} from "./mcp/server/session-store.ts";
export type { SkillFile } from "./mcp/server/skills/skill.ts";
// MCP: what several instances of a server share
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
export type { StoredTask, Task } from "./mcp/server/tasks/task.ts";
export type { Topic } from "./mcp/server/topic.ts";
// MCP: skills
export type { SkillEntry, SkillResource } from "./mcp/skill-entry.ts";
export {
  isLegacyRevision,
  type LegacyRevision,
  legacyRevisions,
  type ModernRevision,
  modernRevision,
  negotiateRevision,
  newestLegacyRevision,
  type Revision,
  type RevisionTraits,
  revisions,
} from "./mcp/versions.ts";
export { type ParseResult, parsed, refused } from "./parse-result.ts";
// Paths
export { fromRawFileUri, toRawFileUri } from "./paths/file-uri.ts";
export { type PathRule, parsePathRule } from "./paths/path-map.ts";
export { comparisonKey, relativeTo } from "./paths/posix-path.ts";
// JSON-RPC
export { BackOff, backOffMs } from "./rpc/back-off.ts";
export { type OpenBatch, openBatch } from "./rpc/batch.ts";
export { systemClock } from "./rpc/clock.ts";
export { answerLimits, isCostly, type JsonLimits, parseJson } from "./rpc/costly-json.ts";
export { isLoopbackName } from "./rpc/loopback-name.ts";
export {
  asObject,
  describeValue,
  formatNotification,
  formatRequest,
  isObject,
  isRequestId,
  type RawMessage,
  type RequestId,
  SerializedJson,
  toRpcError,
} from "./rpc/message.ts";
export type { SendAnswer } from "./rpc/peer-options.ts";
export type { Redactor } from "./rpc/redactor.ts";
export { createRequestLifecycle, type RequestLifecycle } from "./rpc/request-lifecycle.ts";
export { type StateCarrier, StateOutbox } from "./rpc/state-outbox.ts";
export { MAX_FRAME_BYTES, type RequestTracker } from "./rpc/transport.ts";
// Secrets
export { createToken } from "./secrets/create-token.ts";
export { DecodedText, replaceRanges, type TextRange } from "./secrets/decoded-text.ts";
export { containsSecret, findSecrets, redactSecrets } from "./secrets/find-secrets.ts";
export { findSpellings, redactKnown, spellingsOf } from "./secrets/known-secrets.ts";
export { isPlaceholder } from "./secrets/placeholders.ts";
export { isSecretKey } from "./secrets/secret-patterns.ts";
export type { Expectation } from "./testing/contract-runner.ts";
// Text: lines, positions, hidden characters
export { type AddedHidden, countAddedHidden, describeAddedHidden } from "./text/added-hidden.ts";
export { fromBase64, toBase64, toBinary } from "./text/base64.ts";
export {
  findHidden,
  type HiddenCharacter,
  labelOfHidden,
  showHidden,
  showHiddenInLine,
} from "./text/hidden-characters.ts";
export { nameOfHidden } from "./text/hidden-names.ts";
export { namesOfPointer, pointerTo } from "./text/json-pointer.ts";
export { shellQuote } from "./text/shell-quote.ts";
export { positionAt, TextLines } from "./text/text-lines.ts";
export type {} from "./web-types.ts";
