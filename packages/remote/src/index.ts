export type { Fetch } from "./web-types.ts";
export type { Authorization, Challenged, HttpOptions } from "./http/http-channel.ts";
export { createHttpTransport, type HttpTransportOptions } from "./http/http-transport.ts";
