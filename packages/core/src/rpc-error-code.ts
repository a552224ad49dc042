// The error codes that JSON-RPC 2.0 (section 5.1) reserves, and others in use. They are constants of a
// module, so that a bundle contains only those in use.

export const ParseError = -32700;
export const InvalidRequest = -32600;
export const MethodNotFound = -32601;
export const InvalidParams = -32602;
export const InternalError = -32603;
/** The resource does not exist: MCP revisions up to 2025-11-25. */
export const ResourceNotFound = -32002;
/** The person has to visit a URL before the request can succeed: MCP 2025-11-25. */
export const UrlElicitationRequired = -32042;
/** The HTTP headers of a request are missing, malformed or unlike its body: MCP 2026-07-28. */
export const HeaderMismatch = -32020;
/** The request needs a capability that the client has not announced: MCP 2026-07-28. */
export const MissingClientCapability = -32021;
/** The server does not support the revision of the request: MCP 2026-07-28. */
export const UnsupportedProtocolVersion = -32022;
/** In our own protocols: a failure whose message is meant for the model or the person. */
export const Failure = 1;
