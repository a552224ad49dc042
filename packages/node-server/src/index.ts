export { listenIde } from "./listen/listen.ts";
export { type HostsServer, type ServeHostsOptions, serveHosts } from "./listen/serve-hosts.ts";
export type { IdeEndpoint, IdeListener, ListenIdeOptions } from "./listen/listen-options.ts";

export { type ListenMcpOptions, listenMcp, type McpListener } from "./mcp/listen-mcp.ts";
export { type NodeHandler, toNodeHandler } from "./mcp/to-node-handler.ts";
export type {
  NodeHttpRequest,
  NodeHttpResponse,
  NodeReadable,
  NodeUpgradeRequest,
  NodeWritable,
  WsWebSocket,
  WsWebSocketServer,
} from "./process/node-types.ts";
export { createNodeWebSocketTransport } from "./web-socket/web-socket-transport.ts";

export { type FindEditorsOptions, findEditors } from "./discovery/find-editors.ts";
export type { FoundEditor } from "./discovery/find-editors.ts";

export { connectIde } from "./agent/connect.ts";
export type {
  ConnectedEditor,
  ConnectIdeOptions,
  IdeConnection,
  IdeConnectionEvents,
  ProposedDiff,
} from "./agent/connect-options.ts";
export type {
  ProposedDiffAnswer,
  EditorDiagnostics,
  EditorMention,
  EditorSelection,
} from "./agent/editor-messages.ts";
