// MCP 2026-07-28: the names that both ends share. A module of constants, so that a bundle contains only
// those in use.

// Basic / _meta: of a request.
export const VERSION = "io.modelcontextprotocol/protocolVersion";
export const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
export const CLIENT_INFO = "io.modelcontextprotocol/clientInfo";
export const LOG_LEVEL = "io.modelcontextprotocol/logLevel";
/** The trace context of the caller (W3C Trace Context). */
export const TRACEPARENT = "traceparent";
/** The member of a result's `_meta` that names the server. */
export const SERVER_INFO = "io.modelcontextprotocol/serverInfo";
/** The member of a notification's `_meta` that names its subscription. */
export const SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId";

/** The method that describes a server. */
export const DISCOVER = "server/discover";
/** The method of a stream of notifications. */
export const LISTEN = "subscriptions/listen";
/** The first notification of such a stream. */
export const ACKNOWLEDGED = "notifications/subscriptions/acknowledged";
/** The notification of a change of a resource. */
export const UPDATED = "notifications/resources/updated";
