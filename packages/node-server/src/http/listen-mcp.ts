import { IdewireError } from "@idewire/core/rpc";
import type { McpServer } from "@idewire/core/server";
import { isSameToken, tokenFault } from "../admission/token.ts";
import { createMcpListener, type McpListener } from "./create-mcp-listener.ts";
import type { Authorized } from "./mcp-http-options.ts";
import type { RequestHead } from "./request-head.ts";

export type { McpListener } from "./create-mcp-listener.ts";

/** How an MCP server is offered to the agents of this machine. */
export interface ListenMcpOptions<Context> {
  readonly server: McpServer<Context>;
  /** Given to each tool that a session calls. */
  readonly context: Context;
  /** What `Authorization: Bearer` must bring: 16 bytes or more. */
  readonly token: string;
  /** Any free one when left out. */
  readonly port?: number;
  /** 32; one more takes the place of the one unused for longest, or is refused with 503. */
  readonly maxSessions?: number;
  /** 4 MiB; a larger body is refused with 413. */
  readonly maxBodyBytes?: number;
}

/**
 * Offers an MCP server over Streamable HTTP (MCP 2025-03-26 to 2025-11-25, Transports) on 127.0.0.1,
 * to clients that have the token. Web pages are refused by their Origin.
 * @throws IdewireError `port-in-use` when the port is not to be had, `invalid-argument` for a token
 * that is too short
 */
export async function listenMcp<Context>(options: ListenMcpOptions<Context>): Promise<McpListener> {
  const { server, context, token, port, maxSessions = 32, maxBodyBytes } = options;
  const fault = tokenFault(token);
  if (fault !== undefined) throw new IdewireError("invalid-argument", fault);
  const admission = { context };
  return createMcpListener({
    server,
    authorize: (head): Authorized<Context> => (hasBearer(head, token) ? admission : unauthorized),
    allowedOrigins: [],
    limits: { maxSessions, ...(maxBodyBytes !== undefined && { maxBodyBytes }) },
    ...(port !== undefined && { port }),
  });
}

const unauthorized = {
  status: 401,
  message: "The bearer token is missing or wrong",
  headers: { "www-authenticate": "Bearer" },
} as const;

function hasBearer(head: RequestHead, token: string): boolean {
  const [, given = ""] = /^Bearer (.+)$/i.exec(head.header("authorization") ?? "") ?? [];
  return isSameToken(given, token);
}
