export type { Fetch } from "./web-types.ts";
export type {
  Authorization,
  AuthorizedRequest,
  HttpOptions,
} from "./http/http-channel.ts";
export { createHttpTransport } from "./http/http-transport.ts";
export { type HttpWithSse, httpWithSse } from "./http/sse-stream.ts";
export type { HttpTransportOptions } from "./http/streamable-http.ts";
