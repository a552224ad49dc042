export type { NodeHttpRequest, NodeHttpResponse } from "../process/node-types.ts";

export { createMcpHandler, type McpHandler } from "./create-mcp-handler.ts";
export {
  createMcpListener,
  type McpListener,
  type McpListenerOptions,
} from "./create-mcp-listener.ts";
export type { HttpLimits } from "./http-limits.ts";
export type {
  Authorized,
  LegacyMode,
  McpHttpOptions,
} from "./mcp-http-options.ts";
export { releaseStream } from "./release-stream.ts";
export type {
  Admission,
  AuthorizationRefusal,
  NamedMethod,
  RequestHead,
} from "./request-head.ts";
export type { ResourceMetadata } from "./resource-metadata.ts";
export type { HttpHeaders } from "./responder.ts";
export type {} from "./web-types.ts";
