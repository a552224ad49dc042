import type { IncomingMessage } from "node:http";
import type { Refusal } from "@idewire/node-server/internal";

/** The one sub-protocol that is ever agreed on. */
export const LIVE_PROTOCOL = "idewire.v1";

/** Where the page finds its socket. */
const LIVE_PATH = "/live";

/** Where a page asks why it was refused, since a browser does not say. */
export const WHY_PATH = "/live/why";

const TICKET = "idewire.ticket.";
const KEY = "idewire.key.";

/**
 * Host and Origin first, exactly, with the port: a name that leads here by DNS rebinding,
 * and any other page of this machine, learns nothing.
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

/** Whether a request is one for a file. */
export function inspectMethod({ method }: IncomingMessage): Refusal | undefined {
  if (method === "GET" || method === "HEAD") return undefined;
  return { status: 405, message: `Only GET and HEAD are understood, got ${method}` };
}

/** Whether an upgrade is for the socket. */
export function inspectPath({ url }: IncomingMessage): Refusal | undefined {
  return url === LIVE_PATH ? undefined : { status: 404, message: "There is no socket here" };
}

/** What a page shows to be admitted. */
export interface Credentials {
  readonly ticket?: string;
  readonly key?: string;
}

/** Reads what a page brings to its socket; undefined when our sub-protocol is not offered. */
export function readCredentials({ headers }: IncomingMessage): Credentials | undefined {
  const names = listOf(headers["sec-websocket-protocol"]);
  return names.includes(LIVE_PROTOCOL) ? toCredentials(names) : undefined;
}

/** The same, in a request that asks why a page was refused. */
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

/** What every answer says, whatever it is. */
export function securityHeaders(port: number): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ws://127.0.0.1:${port} ws://localhost:${port}`,
    "manifest-src 'self'",
    // In it the page runs regular expressions, which it ends when they take too long.
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
