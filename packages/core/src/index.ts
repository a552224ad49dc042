export type {} from "./web-types.ts";

// Errors, events and parse results
export { Emitter, type Unsubscribe } from "./emitter.ts";
export type { IdewireErrorCode } from "./errors.ts";
export { IdewireError, RpcError, RpcErrorCode, ToolFailure } from "./errors.ts";
export { exactly } from "./exactly.ts";
export { parsed, type ParseResult, refused } from "./parse-result.ts";

// JSON-RPC
export { type OpenBatch, openBatch } from "./rpc/batch.ts";
export { Call, type Progress } from "./rpc/call.ts";
export { type Clock, systemClock } from "./rpc/clock.ts";
export { answerLimits, isCostly, type JsonLimits, parseJson } from "./rpc/costly-json.ts";
export { keepAlive, type KeepAliveOptions } from "./rpc/keep-alive.ts";
export { type ManualClock, manualClock } from "./rpc/manual-clock.ts";
export { createMemoryTransportPair, type MemoryTransportEnd } from "./rpc/memory-transport.ts";
export { createMessagePortTransport, type MessagePortLike } from "./rpc/message-port-transport.ts";
export type { ErrorObject, Params, RawMessage, RequestId } from "./rpc/message.ts";
export {
  describeValue,
  formatNotification,
  formatRequest,
  asObject,
  isObject,
  isRequestId,
  SerializedJson,
  toRpcError,
} from "./rpc/message.ts";
export type { Handler, PeerOptions, SendAnswer } from "./rpc/peer-options.ts";
export { Peer } from "./rpc/peer.ts";
export type { Redactor } from "./rpc/redactor.ts";
export type { RequestOptions } from "./rpc/request-options.ts";
export { StateOutbox } from "./rpc/state-outbox.ts";
export { createRequestLifecycle, type RequestLifecycle } from "./rpc/request-lifecycle.ts";
export {
  CloseCode,
  type CloseReason,
  type RequestTracker,
  type Transport,
} from "./rpc/transport.ts";
export { createWebSocketTransport, type WebSocketLike } from "./rpc/web-socket-transport.ts";

// Paths
export { fromFileUri, fromRawFileUri, toFileUri, toRawFileUri } from "./paths/file-uri.ts";
export type { PathMap, PathMapOptions, PathRule, WslOptions } from "./paths/path-map.ts";
export { createPathMap, parsePathRule, wslPathMap } from "./paths/path-map.ts";
export type { Platform, PosixPath } from "./paths/posix-path.ts";
export {
  baseName,
  comparisonKey,
  isInside,
  parsePosixPath,
  relativeTo,
  toNativePath,
  toPosixPath,
} from "./paths/posix-path.ts";

// Text: lines, positions, hidden characters
export type { AddedHidden } from "./text/added-hidden.ts";
export { countAddedHidden, describeAddedHidden } from "./text/added-hidden.ts";
export type { HiddenCharacter } from "./text/hidden-characters.ts";
export {
  findHidden,
  labelOfHidden,
  showHidden,
  showHiddenInLine,
} from "./text/hidden-characters.ts";
export { nameOfHidden } from "./text/hidden-names.ts";
export type { Position, Range } from "./text/position.ts";
export { shellQuote } from "./text/shell-quote.ts";
export { positionAt, TextLines } from "./text/text-lines.ts";

// Discovery files
export type { ClaudeLockFile } from "./discovery/claude-lock-file.ts";
export {
  formatClaudeLockFile,
  LOCK_FILE_GENERATOR,
  lockFileName,
  parseClaudeLockFile,
  portOfLockFile,
} from "./discovery/claude-lock-file.ts";
export type { JetBrainsFile } from "./discovery/jetbrains-file.ts";
export {
  formatJetBrainsFile,
  JETBRAINS_FOLDER,
  jetBrainsFileName,
  parseJetBrainsFile,
  portOfJetBrainsFile,
} from "./discovery/jetbrains-file.ts";

// MCP: what both ends share
export type {
  Annotations,
  AudioContent,
  BlobResourceContents,
  CallToolResult,
  ContentBlock,
  EmbeddedResource,
  Icon,
  ImageContent,
  Meta,
  ResourceContents,
  ResourceDescription,
  ResourceLink,
  ResourceTemplateDescription,
  TextContent,
  TextResourceContents,
} from "./mcp/content.ts";
export { errorResult, structuredResult, textResult } from "./mcp/content.ts";
export type { FormContent } from "./mcp/elicitation-form.ts";
export type { UrlElicitation, UrlOutcome } from "./mcp/elicitation.ts";
export { type LogLevel, logLevels, type LogMessage } from "./mcp/logging.ts";
export type {
  GetPromptResult,
  PromptArgument,
  PromptArguments,
  PromptDescription,
  PromptMessage,
} from "./mcp/prompts.ts";
export type {
  Capabilities,
  CompletionReference,
  Implementation,
  InitializeResult,
  JsonSchema,
  ObjectSchema,
  ToolAnnotations,
  ToolDescription,
} from "./mcp/protocol.ts";
export { nameIn } from "./mcp/named-method.ts";
export { mcpRequestLifecycle, mergeCapabilities, Method } from "./mcp/protocol.ts";
export type { Root } from "./mcp/roots.ts";
export type {
  CreateMessageParams,
  CreateMessageResult,
  ModelPreferences,
  SamplingContent,
  SamplingMessage,
  ToolResultContent,
  ToolUseContent,
} from "./mcp/sampling.ts";
export type { LegacyRevision, ModernRevision, Revision, RevisionTraits } from "./mcp/versions.ts";
export {
  isLegacyRevision,
  legacyRevisions,
  modernRevision,
  negotiateRevision,
  newestLegacyRevision,
  revisions,
} from "./mcp/versions.ts";

// MCP: schemas of tools
export { isModernError } from "./mcp/refusals.ts";
export {
  type HeaderParameter,
  headerParametersOf,
  valueAt,
} from "./mcp/schemas/header-parameters.ts";
export { plainInput } from "./mcp/schemas/plain-input.ts";
export type { SchemaValidator } from "./mcp/schemas/schema-validator.ts";
export { fromJsonSchema, outputFromJsonSchema } from "./mcp/schemas/schema-validator.ts";
export type {
  StandardOutputOptions,
  StandardSchema,
  StandardSchemaOptions,
} from "./mcp/schemas/standard-schema.ts";
export { fromStandardSchema } from "./mcp/schemas/standard-schema.ts";
export { type ToolInput, type ToolOutput, valibotInput } from "./mcp/schemas/tool-input.ts";

// MCP: the server
export type {
  AskOptions,
  Caller,
  ClientOf,
  ClientSettings,
  Question,
} from "./mcp/server/caller.ts";
export { callerOf, missingCapability } from "./mcp/server/caller.ts";
export type {
  ConnectOptions,
  ConnectionObserver,
  ServerConnection,
  SessionState,
} from "./mcp/server/server-connection.ts";
export type { AttachedServer, FeatureHandler, ServerFeature } from "./mcp/server/server-feature.ts";
export type {
  Eras,
  EmitChange,
  McpServerOptions,
  ModernEra,
  ShareChanges,
  ModernServer,
  ServerDefinition,
} from "./mcp/server/server-options.ts";
export type { Answer, HandleOptions } from "./mcp/server/handle.ts";
export { McpServer } from "./mcp/server/server.ts";
export { defineTool, type Tool, type ToolDefinition } from "./mcp/server/tool.ts";

// MCP: the modern era of a server
export type { CacheableMethod, CacheHint, CacheHints } from "./mcp/server/cache-hints.ts";
export { modernEra, type ModernEraOptions } from "./mcp/server/modern/modern-era.ts";
export type { SealOptions } from "./mcp/server/modern/request-state.ts";
export type { HandlerRounds } from "./mcp/server/modern/modern-caller.ts";
export { sealedRequestState } from "./mcp/server/modern/rounds.ts";
export type { Topic } from "./mcp/server/topic.ts";
export { once } from "./mcp/server/once.ts";

// MCP: skills
export type { Skill, SkillFile } from "./mcp/server/skills/skill.ts";
export type { SkillEntry, SkillResource } from "./mcp/skill-entry.ts";
export { createSkills, type Skills, type SkillsOptions } from "./mcp/server/skills/skills.ts";

// MCP: what several instances of a server share
export { shareChanges } from "./mcp/server/share-changes.ts";
export { memoryStore, type MemoryStoreOptions } from "./mcp/server/memory-store.ts";
export type {
  EventStore,
  FollowedStream,
  LeaseStore,
  McpStore,
  MessageBus,
  NewEvent,
  RecordStore,
  ReplayStore,
  StoredEvent,
  StreamInfo,
  StreamListener,
} from "./mcp/server/store.ts";
export type {
  BeginOptions,
  SessionChange,
  SessionStore,
  SessionTimes,
  SessionUse,
  StoredSession,
  UsedSession,
} from "./mcp/server/session-store.ts";
export type { StoredTask, Task } from "./mcp/server/tasks/task.ts";
export {
  becomeTask,
  Tasks,
  type TaskOptions,
  type TasksOptions,
} from "./mcp/server/tasks/tasks.ts";

// MCP: the server's features
export type {
  Completer,
  CompletionContext,
  CompletionSource,
} from "./mcp/server/features/completion.ts";
export { completion } from "./mcp/server/features/completion.ts";
export { Logging, type LoggingOptions } from "./mcp/server/features/logging.ts";
export { type Prompt, Prompts, type PromptsOptions } from "./mcp/server/features/prompts.ts";
export type {
  ReadOutcome,
  Resource,
  ResourcesOptions,
  ResourceTemplate,
} from "./mcp/server/features/resources.ts";
export { Resources } from "./mcp/server/features/resources.ts";
export { createUriMatcher, type UriVariables } from "./mcp/server/features/uri-template.ts";

// MCP: the client's features, as a server uses them
export type { ElicitOutcome } from "./mcp/server/client-features/elicitation.ts";
export {
  completeElicitation,
  elicit,
  elicitUrl,
  urlElicitationRequired,
} from "./mcp/server/client-features/elicitation.ts";
export { listRoots, onRootsChanged } from "./mcp/server/client-features/roots.ts";
export { createMessage } from "./mcp/server/client-features/sampling.ts";

// MCP: the client
export type {
  ClientFeature,
  ClientHandler,
  McpClientOptions,
  NotificationListener,
  ResultHandler,
} from "./mcp/client/client.ts";
export { McpClient } from "./mcp/client/client.ts";
export type {
  AnswerAll,
  Asking,
  ClientCache,
  ClientDefinition,
  ClientEras,
  ClientRequest,
  ModernClient,
  ModernClientEra,
  QuestionedClient,
  ResultCache,
} from "./mcp/client/client-era.ts";
export { answerAll } from "./mcp/client/modern/questions.ts";
export { resultCache } from "./mcp/client/modern/result-cache.ts";
export type { HeaderTransport } from "./mcp/client/modern/header-transport.ts";
export {
  modernClientEra,
  type ModernClientEraOptions,
} from "./mcp/client/modern/modern-client-era.ts";
export type {
  ClientConnection,
  ConnectionOwner,
  Connector,
  SendRequestOver,
} from "./mcp/client/connection.ts";
export { type OpenTransport, reopening } from "./mcp/client/reopening.ts";
export { complete, type CompletionQuestion, type Completions } from "./mcp/client/completion.ts";
export type { ElicitationOptions, FormAnswer, FormRequest } from "./mcp/client/elicitation.ts";
export {
  elicitation,
  onElicitationComplete,
  requiredElicitations,
} from "./mcp/client/elicitation.ts";
export { onLogMessage, setLogLevel } from "./mcp/client/logging.ts";
export { createOutputCheck } from "./mcp/client/output-check.ts";
export { listen, onListChanged } from "./mcp/client/listen.ts";
export type { ListenOptions, ListenTopics, Subscription } from "./mcp/client/subscription.ts";
export { getPrompt, listPrompts, promptPages } from "./mcp/client/prompts.ts";
export {
  listSkills,
  type LoadedSkill,
  loadSkill,
  type LoadSkillOptions,
} from "./mcp/client/skills.ts";
export { type FollowOptions, resumeTask, tasks } from "./mcp/client/tasks.ts";
export {
  listResources,
  listResourceTemplates,
  readResource,
  resourcePages,
  subscribeResource,
} from "./mcp/client/resources.ts";
export { Roots } from "./mcp/client/roots.ts";
export { sampling, type SamplingHandler, type SamplingOptions } from "./mcp/client/sampling.ts";

// The IDE: host, dialect, tool, share policy
export type { Audience, Dialect, DiscoveryKind, WireNotification } from "./ide/dialect.ts";
export type {
  CloseDiffReason,
  ClosedDiff,
  Diagnostic,
  DiagnosticSeverity,
  DiffId,
  DiffOutcome,
  DiffRequest,
  EditorHost,
  FileDiagnostics,
  HostEvents,
  Mention,
  OpenDocument,
  RevealOptions,
  SaveOutcome,
  LineComment,
  Selection,
  SelectionRange,
  SelectionSnapshot,
  SessionId,
  WorkspaceFolder,
} from "./ide/editor-host.ts";
export type { IdeTool, IdeToolContext, NoArguments, ToolBinding } from "./ide/ide-tool.ts";
export { bindTool, noInput } from "./ide/ide-tool.ts";
export { mapHost, mapShare } from "./ide/map-host.ts";
export { diagnosticSchema, linesSchema, rangeSchema } from "./ide/model-schemas.ts";
export { type EditorHostOverrides, overrideHost } from "./ide/override-host.ts";
export type { ShareLevel, SharePolicy } from "./ide/share-policy.ts";
export {
  defaultSharePolicy,
  isSecretPath,
  mayShare,
  notShared,
  shareLevels,
  shareSelection,
} from "./ide/share-policy.ts";
export { textOfRange } from "./ide/text-range.ts";

// The IDE: diffs
export type { DiffCalls, DiffCallsOptions } from "./ide/diffs/diff-calls.ts";
export { describeDiffEnd, type DiffAnsweredIn, type DiffEndedBy } from "./ide/diffs/diff-end.ts";
export type {
  DiffAnswer,
  PendingDiffEvents,
  PendingDiffsOptions,
  ShownDiff,
} from "./ide/diffs/pending-diffs.ts";
export { PendingDiffs } from "./ide/diffs/pending-diffs.ts";

// The IDE: commands, and the editor in memory
export type { EditorChange } from "./ide/editor/editor-change.ts";
export type { EditorCommandInputs } from "./ide/editor/editor-command-schema.ts";
export {
  editorCommandInputs,
  editorCommandSchemas,
  isEditorVerb,
  locateCommand,
} from "./ide/editor/editor-command-schema.ts";
export type {
  CommandableEditor,
  EditorCommand,
  EditorCommandMembers,
  EditorCommandOf,
  EditorCommandResult,
  EditorVerb,
} from "./ide/editor/editor-command.ts";
export { runCommand } from "./ide/editor/editor-command.ts";
export { type Files, inMemoryFiles } from "./ide/editor/files.ts";
export { InMemoryEditor, type InMemoryEditorOptions } from "./ide/editor/in-memory-editor.ts";

// The IDE: sessions
export type { IdeServerOptions } from "./ide/session/ide-server.ts";
export { createIdeServer, IdeServer, openIdeSession } from "./ide/session/ide-server.ts";
export type { DiagnosticsCall, DiagnosticsRemarks } from "./ide/session/diagnostics-remarks.ts";
export type {
  DialectContext,
  IdeServerEvents,
  IdeSession,
  SentFact,
} from "./ide/session/ide-session.ts";
export { watchDiagnostics } from "./ide/session/watch-diagnostics.ts";
export {
  type UnreviewedWrites,
  type WatchWrites,
  type WriteWatchChoices,
  watchWrites,
} from "./ide/session/write-watch.ts";

// The IDE: tools
export type { CheckDocumentDirtyArguments } from "./ide/tools/check-document-dirty.ts";
export { checkDocumentDirty } from "./ide/tools/check-document-dirty.ts";
export { closeAllDiffTabs } from "./ide/tools/close-all-diff-tabs.ts";
export { closeTab, type CloseTabArguments } from "./ide/tools/close-tab.ts";
export { getCurrentDiagnostics } from "./ide/tools/get-current-diagnostics.ts";
export { getDiagnostics, type GetDiagnosticsArguments } from "./ide/tools/get-diagnostics.ts";
export type { GetFileDiagnosticsArguments } from "./ide/tools/get-file-diagnostics.ts";
export { getFileDiagnostics } from "./ide/tools/get-file-diagnostics.ts";
export { getLatestSelection } from "./ide/tools/get-latest-selection.ts";
export { getSelection } from "./ide/tools/get-selection.ts";
export { getWorkspaceFolders } from "./ide/tools/get-workspace-folders.ts";
export { listOpenDocuments } from "./ide/tools/list-open-documents.ts";
export type { OpenDiffInProjectArguments } from "./ide/tools/open-diff-in-project.ts";
export { openDiffInProject } from "./ide/tools/open-diff-in-project.ts";
export { openDiff, type OpenDiffArguments } from "./ide/tools/open-diff.ts";
export { openFilePath, type OpenFilePathArguments } from "./ide/tools/open-file-path.ts";
export { type OpenedFile, openFile, type OpenFileArguments } from "./ide/tools/open-file.ts";
export { openFiles, type OpenFilesArguments } from "./ide/tools/open-files.ts";
export { reformatFile, type ReformatFileArguments } from "./ide/tools/reformat-file.ts";
export { saveDocument, type SaveDocumentArguments } from "./ide/tools/save-document.ts";
export type { SetCursorPositionArguments } from "./ide/tools/set-cursor-position.ts";
export { setCursorPosition } from "./ide/tools/set-cursor-position.ts";
export { setSelection, type SetSelectionArguments } from "./ide/tools/set-selection.ts";

// The IDE: dialects
export { claudeCode, encodeFileDiagnostics } from "./ide/dialects/claude-code.ts";
export { hasNoDiff } from "./ide/dialects/claude-notifications.ts";
export { jetBrains } from "./ide/dialects/jetbrains.ts";
export { type LogEvent, neovim, sendLogEvent } from "./ide/dialects/neovim.ts";
export { seed002 } from "./ide/dialects/seed-002.ts";

// The IDE: a host behind a wire
export type { ConnectHostOptions, RemoteHost } from "./ide/remote-host/connect-host.ts";
export { connectHost, HostMethod } from "./ide/remote-host/connect-host.ts";
export { serveHost, type ServeHostOptions } from "./ide/remote-host/serve-host.ts";
