export { type Environment, claudeIdeDirectory, stateDirectory } from "./files/directories.ts";
export { type FileLockOptions, takeFileLock } from "./files/file-lock.ts";
export type { TextFile } from "./files/text-file.ts";
export { type LocatedPath, type ReadFile, WorkspacePaths } from "./files/workspace-path.ts";
export {
  type DoctorVerdict,
  type ExaminedEditor,
  examineEditor,
  type LeftoverFiles,
  type OpenDirectory,
  type RivalEditors,
  type UnusedLockFile,
} from "./doctor/verdicts.ts";
export { listenIde } from "./listen/listen.ts";
export type {
  ConnectionOrigin,
  IdeEndpoint,
  IdeListener,
  IdeListenerEvents,
  ListenIdeOptions,
} from "./listen/listen-options.ts";
export type { ListenLimits } from "./loopback-server/listen-limits.ts";
export type {
  FolderEndpoint,
  OpenFolderEndpoint,
  OpenFolderEndpointOptions,
} from "./mcp/folder-endpoint.ts";
export { openFolderEndpoint, readFolderEndpoint } from "./mcp/folder-endpoint.ts";
export { type ListenMcpOptions, listenMcp, type McpListener } from "./mcp/listen-mcp.ts";
export { type NodeHandler, toNodeHandler } from "./mcp/to-node-handler.ts";
export type {
  NodeHttpRequest,
  NodeHttpResponse,
  NodeReadable,
  NodeSocket,
  NodeWritable,
  WsWebSocket,
} from "./process/node-types.ts";
export { createNodeWebSocketTransport, FrameCache } from "./web-socket/web-socket-transport.ts";
export { type SpawnStdioOptions, spawnStdioTransport } from "./stdio/spawn-stdio-transport.ts";
export { type McpProgram, spawnMcp } from "./stdio/spawn-mcp.ts";
export { createStdioTransport, type StdioOptions } from "./stdio/stdio-transport.ts";
export { asksInTerminal } from "./listen/diff-tool.ts";
export { type FindEditorsOptions, findEditors } from "./discovery/find-editors.ts";
export type { EditorSearch, FoundEditor, LockDirectory } from "./discovery/find-editors.ts";
export type { EditorFile, ElsewhereCode, Reason, StaleCode } from "./discovery/editor-file.ts";
export { connectIde } from "./agent/connect.ts";
export type {
  ConnectedEditor,
  ConnectIdeOptions,
  IdeConnection,
  IdeConnectionEvents,
  ProposedDiff,
  ReconnectOptions,
} from "./agent/connect-options.ts";
export type {
  ProposedDiffAnswer,
  EditorDiagnostic,
  EditorDiagnostics,
  EditorMention,
  EditorSelection,
} from "./agent/editor-messages.ts";
