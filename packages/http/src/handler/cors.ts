import { HttpRefusal } from "./http-refusal.ts";
import type { RequestHead } from "./request-head.ts";
import type { HttpHeaders } from "./responder.ts";

/** How long a browser may keep the answer to a preflight, in seconds. */
const MAX_AGE_S = "600";

/**
 * The headers with which a browser passes an answer on to a page of an allowed origin; undefined for any other
 * request.
 */
export function corsHeaders(
  head: RequestHead,
  allowedOrigins: readonly string[],
): HttpHeaders | undefined {
  const origin = head.header("origin");
  if (origin === undefined || !allowedOrigins.includes(origin)) return undefined;
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": "mcp-session-id, www-authenticate",
    vary: "origin",
  };
}

/** The answer to a preflight: a browser's question, without credentials, whether a page may call. */
export function answerPreflight(head: RequestHead): HttpRefusal | undefined {
  if (head.method !== "OPTIONS") return undefined;
  if (head.header("access-control-request-method") === undefined) return undefined;
  const wanted = head.header("access-control-request-headers");
  const headers = {
    "access-control-allow-methods": "POST, GET, DELETE",
    "access-control-max-age": MAX_AGE_S,
    ...(wanted !== undefined && { "access-control-allow-headers": wanted }),
  };
  return new HttpRefusal(200, "", { headers, isEmpty: true });
}
