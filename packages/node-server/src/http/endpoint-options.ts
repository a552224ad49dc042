import { IdewireError } from "@idewire/core";
import type { HttpEndpointOptions } from "./http-endpoint.ts";
import { limitsOf } from "./http-limits.ts";
import type { Authorized, McpHttpOptions } from "./mcp-http-options.ts";
import type { RequestHead } from "./request-head.ts";

/**
 * The options without what depends on the carrier.
 * @throws IdewireError `invalid-argument` for options that cannot be
 */
export function endpointOptionsOf<Context>(
  options: McpHttpOptions<Context>,
): HttpEndpointOptions<Context> {
  if (options.legacy === "off" && options.server.modern === undefined) {
    const text = 'legacy: with "off", the server needs the modern era in its eras';
    throw new IdewireError("invalid-argument", text);
  }
  const { server, legacy = "sessions", store, ssePath, onerror } = options;
  return { server, legacy, store, ssePath, onerror, limits: limitsOf(options.limits) };
}

/** Who a request comes from, or why it is not let in. */
export function authorizerOf<Context>(
  options: McpHttpOptions<Context>,
): (head: RequestHead) => Authorized<Context> | Promise<Authorized<Context>> {
  if (options.authorize !== undefined) return options.authorize;
  const admission = { context: options.context };
  return () => admission;
}
