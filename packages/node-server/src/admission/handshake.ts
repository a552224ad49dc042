import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { isLoopbackName } from "@idewire/core/internal";
import { endUnadmitted } from "./end-unadmitted.ts";
import { isSameToken } from "./token.ts";

/** The header in which Claude Code and opencode send the lock file's token. */
export const TOKEN_HEADER = "x-claude-code-ide-authorization";

/** The one WebSocket sub-protocol that is understood. */
export const SUB_PROTOCOL = "mcp";

/** What is said, with close code 1008, to a client without the right token (seed 002). */
export const BAD_TOKEN = "Invalid or missing authentication token";

const PATHS: ReadonlySet<string> = new Set(["/", "/mcp"]);

/** Which clients are admitted. */
export interface UpgradePolicy {
  readonly allowedHosts: readonly string[];
  /** `"own"` is the one that a page served here would have. */
  readonly allowedOrigins: readonly string[];
}

/** Why a request is refused before it becomes a WebSocket. */
export interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 426 | 502 | 503;
  readonly message: string;
}

/**
 * Looks at a request before any upgrade. Host and Origin come first, so that a web page learns
 * nothing by DNS rebinding.
 */
export function inspectRequest(
  request: IncomingMessage,
  policy: UpgradePolicy,
): Refusal | undefined {
  const { headers } = request;
  return (
    inspectSource(request, policy) ?? inspectPath(request.url ?? "") ?? inspectUpgrade(headers)
  );
}

/** Checks the Host and the Origin of a request. */
export function inspectSource(
  request: Pick<IncomingMessage, "headers" | "rawHeaders">,
  policy: UpgradePolicy,
): Refusal | undefined {
  return inspectHost(request, policy) ?? inspectOrigin(request.headers, policy);
}

/** Whether a request brings the token; compared in constant time. */
export function hasToken(headers: IncomingHttpHeaders, token: string): boolean {
  const given = headers[TOKEN_HEADER];
  return typeof given === "string" && isSameToken(given, token);
}

/** Answers a request that does not become a WebSocket, and ends its connection. */
export function refuse(
  socket: Socket,
  request: IncomingMessage,
  { status, message }: Refusal,
): void {
  const headers = {
    "Content-Type": "text/plain; charset=utf-8",
    ...(status === 426 && { Upgrade: "websocket" }),
  };
  endUnadmitted(socket, request, { status, headers, body: `${message}\n` });
}

function inspectHost(
  request: Pick<IncomingMessage, "headers" | "rawHeaders">,
  policy: UpgradePolicy,
): Refusal | undefined {
  const count = countHeaders(request.rawHeaders, "host");
  // Given two, a proxy in between may have checked the other one.
  if (count > 1) return { status: 400, message: `Expected one Host header, got ${count}` };
  const name = (request.headers.host ?? "").replace(/:\d*$/, "").toLowerCase();
  if (isLoopbackName(name) || policy.allowedHosts.includes(name)) return undefined;
  return { status: 403, message: `The host ${JSON.stringify(name)} is not allowed here` };
}

/** Node keeps only the first of several Host headers; raw headers show them all. */
function countHeaders(rawHeaders: readonly string[], wanted: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === wanted.length && name.toLowerCase() === wanted) count += 1;
  }
  return count;
}

function inspectOrigin(headers: IncomingHttpHeaders, policy: UpgradePolicy): Refusal | undefined {
  const { origin } = headers;
  if (origin === undefined || policy.allowedOrigins.includes(origin)) return undefined;
  const own = [`http://${headers.host}`, `https://${headers.host}`];
  if (policy.allowedOrigins.includes("own") && own.includes(origin.toLowerCase())) return undefined;
  return { status: 403, message: `The origin ${JSON.stringify(origin)} is not allowed here` };
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
  const seen = JSON.stringify(offered);
  return { status: 400, message: `Only the sub-protocol "mcp" is understood, got ${seen}` };
}
