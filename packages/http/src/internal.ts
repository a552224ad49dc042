// For the packages beside this one: not versioned, and no part of the public API.
export { type Access, accessOf } from "./handler/access.ts";
export { answerPreflight, corsHeaders } from "./handler/cors.ts";
export type { Arrived } from "./handler/create-mcp-handler.ts";
export { encodeHeaders } from "./handler/encode-headers.ts";
export { endpointOptionsOf, refusePath } from "./handler/endpoint-options.ts";
export { HttpEndpoint } from "./handler/http-endpoint.ts";
export { inspectSource, type SourcePolicy } from "./handler/inspect-source.ts";
export { findBodyFault, type JsonBody, parseBody, tooLarge } from "./handler/json-body.ts";
export { handlerNames, type OptionNames, refuseUnknown } from "./handler/known-options.ts";
export { Refused, toRefused } from "./handler/refused.ts";
export { answerWithMetadata } from "./handler/resource-metadata.ts";
export { eventHeaders, type Responder } from "./handler/responder.ts";
