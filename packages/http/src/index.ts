export type { Fetch } from "./web-types.ts";
export type {
  Authorization,
  AuthorizedRequest,
  HttpOptions,
} from "./client/http-channel.ts";
export { createHttpTransport } from "./client/http-transport.ts";
export { type HttpWithSse, httpWithSse } from "./client/sse-stream.ts";
export type { HttpTransportOptions } from "./client/streamable-http.ts";
