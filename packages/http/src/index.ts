export type { Authorization } from "./client/http-channel.ts";
export { type ConnectMcpOptions, connectMcp } from "./client/connect-mcp.ts";
export { createHttpTransport } from "./client/http-transport.ts";
export type { HttpTransportOptions } from "./client/streamable-http.ts";
export { createMcpHandler, type McpHandler } from "./handler/create-mcp-handler.ts";

export type { Authorized, McpHandlerOptions, ResourceServer } from "./handler/mcp-http-options.ts";
export { releaseStream } from "./handler/release-stream.ts";
export type { RequestHead } from "./handler/request-head.ts";

export { createOAuth } from "./oauth/oauth.ts";
export type { OAuthOptions } from "./oauth/options.ts";

export type {} from "./handler/web-types.ts";
