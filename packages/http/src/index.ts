export type { Fetch } from "./web-types.ts";
export type {
  Authorization,
  AuthorizedRequest,
  HttpOptions,
} from "./client/http-channel.ts";
export { type ConnectMcpOptions, connectMcp } from "./client/connect-mcp.ts";
export { createHttpTransport } from "./client/http-transport.ts";
export { type HttpWithSse, httpWithSse } from "./client/sse-stream.ts";
export type { HttpTransportOptions } from "./client/streamable-http.ts";
