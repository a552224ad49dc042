import type { IncomingMessage } from "node:http";
import type { Refusal } from "@idewire/node-server/internal";

/** The only supported sub-protocol. */
export const LIVE_PROTOCOL = "idewire.v1";

/** The path of the page's WebSocket. */
const LIVE_PATH = "/live";

/** The path at which a page requests the reason of a refusal, which browsers hide. */
export const WHY_PATH = "/live/why";

const TICKET = "idewire.ticket.";
const KEY = "idewire.key.";

/**
 * Checks Host and Origin first, exactly, including the port: nothing is revealed to DNS rebinding or to other
 * pages of this machine.
 */
export function inspectOrigin(request: IncomingMessage, port: number): Refusal | undefined {
  const hosts = request.headersDistinct["host"] ?? [];
  const [host = ""] = hosts;
  if (hosts.length > 1) {
    return { status: 400, message: `Expected one Host header, got ${hosts.length}` };
  }
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`) {
    return { status: 403, message: `The host ${JSON.stringify(host)} is not allowed here` };
  }
  const { origin } = request.headers;
  const isSocket = request.headers.upgrade !== undefined;
  if (origin === `http://${host}` || (origin === undefined && !isSocket)) return undefined;
  return { status: 403, message: `The origin ${JSON.stringify(origin)} is not allowed here` };
}

/** Checks that a request is for a file. */
export function inspectMethod({ method }: IncomingMessage): Refusal | undefined {
  if (method === "GET" || method === "HEAD") return undefined;
  return { status: 405, message: `Only GET and HEAD are supported, got ${method}` };
}

/** Checks that an upgrade is for the page's WebSocket. */
export function inspectPath({ url }: IncomingMessage): Refusal | undefined {
  return url === LIVE_PATH ? undefined : { status: 404, message: "There is no WebSocket here" };
}

/** The credentials of a page. */
export interface Credentials {
  readonly ticket?: string;
  readonly key?: string;
}

/** Reads the credentials of an upgrade; undefined when our sub-protocol is not offered. */
export function readCredentials({ headers }: IncomingMessage): Credentials | undefined {
  const names = listOf(headers["sec-websocket-protocol"]);
  return names.includes(LIVE_PROTOCOL) ? toCredentials(names) : undefined;
}

/** The same, for a request for the reason of a refusal. */
export function readAskedCredentials({ headers }: IncomingMessage): Credentials {
  return toCredentials(listOf(headers["idewire-credentials"]));
}

function listOf(header: string | readonly string[] = ""): readonly string[] {
  return String(header)
    .split(",")
    .map((name) => name.trim());
}

function toCredentials(names: readonly string[]): Credentials {
  const after = (prefix: string): string | undefined =>
    names.find((name) => name.startsWith(prefix))?.slice(prefix.length);
  const ticket = after(TICKET);
  const key = after(KEY);
  return { ...(ticket !== undefined && { ticket }), ...(key !== undefined && { key }) };
}

/** The headers of every response. */
export function securityHeaders(port: number): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ws://127.0.0.1:${port} ws://localhost:${port}`,
    "manifest-src 'self'",
    // The views of MCP apps, whose own policy makes their origin opaque.
    "frame-src 'self'",
    // The page runs regular expressions in a worker, which it terminates if they take too long.
    "worker-src blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    "Content-Security-Policy": policy.join("; "),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
  };
}
