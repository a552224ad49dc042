// For authors of editors: the host, its model, dialects, the share policy, diffs and paths.
export type {} from "./web-types.ts";

// Errors, events and parse results
export { Emitter, type Unsubscribe } from "./emitter.ts";
export { IdewireError, type IdewireErrorCode, ToolFailure } from "./errors.ts";

// Paths
export { toFileUri } from "./paths/file-uri.ts";
export { type PathMap, createPathMap, wslPathMap } from "./paths/path-map.ts";
export {
  type Platform,
  type PosixPath,
  baseName,
  isInside,
  parsePosixPath,
  toNativePath,
  toPosixPath,
} from "./paths/posix-path.ts";

// Text: lines, positions, hidden characters
export type { Position, Range } from "./text/position.ts";

// The IDE: host, dialect, tool, share policy
export type { Dialect } from "./ide/dialect.ts";
export type {
  Diagnostic,
  DiagnosticSeverity,
  DiffOutcome,
  DiffRequest,
  EditorHost,
  FileDiagnostics,
  HostEvents,
  Mention,
  OpenDocument,
  RevealOptions,
  SaveOutcome,
  Selection,
  SelectionRange,
  WorkspaceFolder,
} from "./ide/editor-host.ts";
export { mapSelection } from "./ide/map-selection.ts";
export type { IdeTool } from "./ide/ide-tool.ts";
export {
  type ShareLevel,
  type SharePolicy,
  defaultSharePolicy,
} from "./ide/share-policy.ts";

// The IDE: diffs
export { PendingDiffs } from "./ide/diffs/pending-diffs.ts";

// The IDE: commands, and the editor in memory
export { type EditorCommand, runCommand } from "./ide/editor/editor-command.ts";

// The IDE: sessions
export {
  IdeServer,
  type IdeServerOptions,
  createIdeServer,
  openIdeSession,
} from "./ide/session/ide-server.ts";
export type { IdeSession } from "./ide/session/ide-session.ts";

// The IDE: dialects
export { allDialects } from "./ide/dialects/all-dialects.ts";
export { claudeCode } from "./ide/dialects/claude-code.ts";
export { codex } from "./ide/dialects/codex.ts";
export { copilot } from "./ide/dialects/copilot.ts";
export { gemini, qwen } from "./ide/dialects/gemini.ts";
export { jetBrains } from "./ide/dialects/jetbrains.ts";
export { neovim, sendLogEvent } from "./ide/dialects/neovim.ts";
export { claudeCodeSpec } from "./ide/dialects/claude-code-spec.ts";

// The IDE: a host behind a wire
export { type RemoteHost, connectHost } from "./ide/remote-host/connect-host.ts";
export { serveHost } from "./ide/remote-host/serve-host.ts";
