// For authors of editors: the host, its model, dialects, the share policy, diffs and paths.
export type {} from "./web-types.ts";

// Errors, events and parse results
export type { Unsubscribe } from "./emitter.ts";

// Paths
export { fromFileUri, toFileUri } from "./paths/file-uri.ts";
export {
  type PathMap,
  type PathMapOptions,
  type PathRule,
  type WslOptions,
  createPathMap,
  wslPathMap,
} from "./paths/path-map.ts";
export {
  type Platform,
  type PosixPath,
  baseName,
  comparisonKey,
  isInside,
  parsePosixPath,
  relativeTo,
  toNativePath,
  toPosixPath,
} from "./paths/posix-path.ts";

// Text: lines, positions, hidden characters
export type { Position, Range } from "./text/position.ts";
export { positionAt } from "./text/text-lines.ts";

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
  LineComment,
  Mention,
  OpenDocument,
  RevealOptions,
  SaveOutcome,
  Selection,
  SelectionRange,
  SelectionSnapshot,
  SessionId,
  WorkspaceFolder,
} from "./ide/editor-host.ts";
export type { IdeTool, IdeToolContext } from "./ide/ide-tool.ts";
export {
  type ShareLevel,
  type SharePolicy,
  defaultSharePolicy,
  isSecretPath,
  shareLevels,
} from "./ide/share-policy.ts";
export { textOfRange } from "./ide/text-range.ts";

// The IDE: diffs
export {
  type DiffAnswer,
  type PendingDiffEvents,
  PendingDiffs,
  type PendingDiffsOptions,
  type ShownDiff,
} from "./ide/diffs/pending-diffs.ts";

// The IDE: commands, and the editor in memory
export { type EditorCommand, runCommand } from "./ide/editor/editor-command.ts";

// The IDE: sessions
export {
  IdeServer,
  type IdeServerOptions,
  createIdeServer,
  openIdeSession,
} from "./ide/session/ide-server.ts";
export type { DialectContext, IdeServerEvents, IdeSession } from "./ide/session/ide-session.ts";
export { type UnreviewedWrites, type WatchWrites, watchWrites } from "./ide/session/write-watch.ts";

// The IDE: dialects
export { claudeCode } from "./ide/dialects/claude-code.ts";
export { jetBrains } from "./ide/dialects/jetbrains.ts";
export { type LogEvent, neovim, sendLogEvent } from "./ide/dialects/neovim.ts";
export { claudeCodeSpec } from "./ide/dialects/claude-code-spec.ts";

// The IDE: a host behind a wire
export {
  type ConnectHostOptions,
  type RemoteHost,
  connectHost,
} from "./ide/remote-host/connect-host.ts";
export { type ServeHostOptions, serveHost } from "./ide/remote-host/serve-host.ts";
