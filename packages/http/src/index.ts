export type { Fetch } from "./web-types.ts";
export type {
  Authorization,
  AuthorizedRequest,
  HttpOptions,
} from "./client/http-channel.ts";
export { type ConnectMcpOptions, connectMcp } from "./client/connect-mcp.ts";
export { createHttpTransport } from "./client/http-transport.ts";
export type { HttpTransportOptions } from "./client/streamable-http.ts";
export { createMcpHandler, type McpHandler } from "./handler/create-mcp-handler.ts";
export type { HttpLimits } from "./handler/http-limits.ts";
export type {
  Authorized,
  LegacyMode,
  McpHandlerOptions,
  ResourceServer,
} from "./handler/mcp-http-options.ts";
export { releaseStream } from "./handler/release-stream.ts";
export type {
  Admission,
  AuthorizationRefusal,
  NamedMethod,
  RequestHead,
} from "./handler/request-head.ts";
export type { ResourceMetadata } from "./handler/resource-metadata.ts";
export type { HttpHeaders } from "./handler/responder.ts";
export type {} from "./handler/web-types.ts";
