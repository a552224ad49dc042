import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { describeValue } from "@idewire/core/internal";
import { inspectSource, type SourcePolicy } from "@idewire/http/internal";
import type { LastAnswer } from "./last-answer.ts";
import { isSameToken } from "./token.ts";

/** The header in which Claude Code and opencode send the lock file's token. */
export const TOKEN_HEADER = "x-claude-code-ide-authorization";

/** The only supported WebSocket sub-protocol. */
export const SUB_PROTOCOL = "mcp";

/** The reason, with close code 1008, for a client without the right token (seed 002). */
export const BAD_TOKEN = "Invalid or missing authentication token";

const PATHS: ReadonlySet<string> = new Set(["/", "/mcp"]);

/** The error response to a request that is refused before it is handled. */
export interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 405 | 426 | 502 | 503;
  readonly message: string;
}

/** Checks a request before any upgrade. Host and Origin come first, against DNS rebinding. */
export function inspectRequest(
  request: IncomingMessage,
  policy: SourcePolicy,
): Refusal | undefined {
  const { headers } = request;
  return (
    inspectSource(request, policy) ?? inspectPath(request.url ?? "") ?? inspectUpgrade(headers)
  );
}

/** Whether a request has the token; compared in constant time. */
export function hasToken(headers: IncomingHttpHeaders, token: string): boolean {
  const given = headers[TOKEN_HEADER];
  return typeof given === "string" && isSameToken(given, token);
}

/** A refusal as the client's only answer. */
export function toLastAnswer({ status, message }: Refusal): LastAnswer {
  const headers = {
    "Content-Type": "text/plain; charset=utf-8",
    ...(status === 426 && { Upgrade: "websocket" }),
  };
  return { status, headers, body: `${message}\n` };
}

function inspectPath(url: string): Refusal | undefined {
  const path = url.replace(/[?#].*/s, "");
  if (PATHS.has(path)) return undefined;
  return { status: 404, message: `There is nothing at ${JSON.stringify(path)}; connect to /` };
}

function inspectUpgrade(headers: IncomingHttpHeaders): Refusal | undefined {
  if (headers.upgrade?.toLowerCase() !== "websocket") {
    return { status: 426, message: "This is the WebSocket of an editor; nothing else is served" };
  }
  const offered = headers["sec-websocket-protocol"];
  if (offered === undefined) return undefined;
  if (offered.split(",").some((name) => name.trim() === SUB_PROTOCOL)) return undefined;
  const seen = describeValue(offered);
  return { status: 400, message: `Only the sub-protocol "mcp" is understood, got ${seen}` };
}
