import type { Transport } from "@idewire/core/rpc";
import { HttpChannel } from "./http-channel.ts";
import { type HttpTransportOptions, StreamableHttp } from "./streamable-http.ts";

/**
 * Speaks Streamable HTTP to a server (MCP 2025-03-26 to 2026-07-28, Transports), or HTTP with SSE (2024-11-05) to
 * one that answers `initialize` with 400, 404 or 405. A request of the modern era is one whose `_meta` names its
 * revision: it has no session, and closing its stream cancels it.
 *
 * A request whose answer breaks off is resumed where the server numbers its events. A message that cannot be
 * delivered fails alone: with `unreachable` when the server cannot have begun it, else with `lost`; with
 * `unauthorized` or `protocol`, or the server's own JSON-RPC error. The transport closes with 1001 when the server
 * has ended the session; `close` ends it at the server, too.
 * @throws IdewireError `invalid-argument` for an address that is not http or https, or has a password, and for a
 * header that HTTP cannot send
 */
export function createHttpTransport(
  url: string | URL,
  options: HttpTransportOptions = {},
): Transport {
  return new StreamableHttp(new HttpChannel(url, options), options);
}
