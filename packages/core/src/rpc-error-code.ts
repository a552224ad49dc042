// The error codes that JSON-RPC 2.0 (section 5.1) reserves, and those of other ranges: constants
// of a module, so that a bundle holds those that it uses.

export const ParseError = -32700;
export const InvalidRequest = -32600;
export const MethodNotFound = -32601;
export const InvalidParams = -32602;
export const InternalError = -32603;
/** A resource that does not exist: MCP revisions up to 2025-11-25. */
export const ResourceNotFound = -32002;
/** The request has to wait for a URL that the person visits: MCP 2025-11-25. */
export const UrlElicitationRequired = -32042;
/** A failure whose message is for whoever asked, in protocols of ours: the model, or the person. */
export const Failure = 1;
