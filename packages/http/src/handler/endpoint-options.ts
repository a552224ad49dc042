import { describeValue } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import type { HttpEndpointOptions } from "./http-endpoint.ts";
import { limitsOf } from "./http-limits.ts";
import type { LegacyMode, ServingOptions } from "./mcp-http-options.ts";
import type { LiveSessions, Served } from "./served.ts";

/**
 * The options that do not depend on the carrier.
 * @throws IdewireError `invalid-argument` for invalid options
 */
export function endpointOptionsOf<Context>(
  server: Served<Context>,
  options: ServingOptions,
  live?: LiveSessions<Context>,
): HttpEndpointOptions<Context> {
  if (options.legacy === "off" && server.modern === undefined) {
    const text = 'legacy: with "off", the server needs the modern era in its eras';
    throw new IdewireError("invalid-argument", text);
  }
  const { legacy = "sessions", ssePath, onerror } = options;
  if (!legacyModes.includes(legacy)) {
    const expected = legacyModes.join(", ");
    throw new IdewireError(
      "invalid-argument",
      `legacy: expected ${expected}, got ${String(legacy)}`,
    );
  }
  if (ssePath !== undefined) refusePath("ssePath", ssePath);
  return { server, legacy, ssePath, onerror, limits: limitsOf(options.limits), live };
}

const legacyModes: readonly LegacyMode[] = ["sessions", "stateless", "off"];

/** @throws IdewireError `invalid-argument` for a text that cannot be a request's path */
export function refusePath(name: string, path: string): void {
  if (/^\/[^?#\s]*$/.test(path)) return;
  const expected = `expected a path such as "/mcp", got ${describeValue(path)}`;
  throw new IdewireError("invalid-argument", `${name}: ${expected}`);
}
