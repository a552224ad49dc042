// For the sibling packages: not versioned, not part of the public API.
export { createHttpTransport } from "./client/http-transport.ts";
export { type Access, accessOf } from "./handler/access.ts";
export { answerPreflight, corsHeaders } from "./handler/cors.ts";
export type { Arrived } from "./handler/create-mcp-handler.ts";
export { encodeHeaders } from "./handler/encode-headers.ts";
export { endpointOptionsOf, refusePath } from "./handler/endpoint-options.ts";
export { HttpEndpoint } from "./handler/http-endpoint.ts";
export type { HttpLimits } from "./handler/http-limits.ts";
export { HttpRefusal, toRefusal } from "./handler/http-refusal.ts";
export type { BodyHolder } from "./handler/incoming.ts";
export { inspectSource, type SourcePolicy } from "./handler/inspect-source.ts";
export {
  brokenBody,
  encodingOf,
  findBodyFault,
  type JsonBody,
  parseBody,
  tooLarge,
} from "./handler/json-body.ts";
export { handlerNames, requireServing } from "./handler/known-options.ts";
export type { LegacyMode } from "./handler/mcp-http-options.ts";
export type { Admission } from "./handler/request-head.ts";
export { answerWithMetadata } from "./handler/resource-metadata.ts";
export { eventHeaders, type HttpHeaders, type Responder } from "./handler/responder.ts";
export type { LiveSessions, Served } from "./handler/served.ts";
export { isSameToken } from "./handler/token.ts";
export { isClientMetadataUrl } from "./oauth/client-metadata-url.ts";
export type { ClientCredentials, StoredCredentials } from "./oauth/credentials.ts";
export { networkOf } from "./oauth/networks.ts";
export type { DeviceCode, DeviceLogin, OpenRedirectTarget } from "./oauth/options.ts";
export type { HttpFact } from "./watch/http-fact.ts";
export { HttpLog } from "./watch/http-log.ts";
export { HttpWatch, type LoginEnd } from "./watch/http-watch.ts";
export type { Fetch } from "./web-types.ts";
