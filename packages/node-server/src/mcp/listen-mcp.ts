import { optionNames } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import type { McpServer } from "@idewire/core/server";
import type { McpHandlerOptions } from "@idewire/http";
import { handlerNames, refusePath, requireServing } from "@idewire/http/internal";
import { refuseOpenBind } from "../loopback-server/listen-at.ts";
import { McpHttpServer } from "./mcp-http-server.ts";

/** The options of an MCP server over HTTP with a listener of its own. */
export type ListenMcpOptions<Context> = McpHandlerOptions<Context> & {
  /** `/mcp` by default. */
  readonly path?: string;
  /** The address to listen at; 127.0.0.1 by default. Any other requires `allowedHosts`. */
  readonly host?: string;
  /** Any free one by default. */
  readonly port?: number;
  /** A Unix socket, or a pipe on Windows, in place of a port. */
  readonly socketPath?: string;
};

const listenerNames = optionNames<ListenMcpOptions<unknown>>({
  ...handlerNames,
  path: true,
  host: true,
  port: true,
  socketPath: true,
});

/** An MCP server over HTTP. The caller closes it. */
export interface McpListener {
  /** The address for clients; for a socket of the file system, the one that they use for it. */
  readonly url: string;
  /** 0 for a socket of the file system. */
  readonly port: number;
  /** Ends the sessions and frees the port. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Serves MCP over Streamable HTTP, on plain `node:http`. With a `token`, web pages are refused by their Origin
 * unless `allowedOrigins` names it.
 * @throws IdewireError `port-in-use` when the port or socket is not available, `invalid-argument` for invalid
 * options, such as a host that is not an address of this machine
 */
export async function listenMcp<Context>(
  server: McpServer<Context>,
  options: ListenMcpOptions<Context>,
): Promise<McpListener> {
  requireServing("listenMcp", { server, options }, listenerNames);
  const { path = "/mcp", host = "127.0.0.1", port = 0, socketPath, allowedHosts = [] } = options;
  refusePath("path", path);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new IdewireError("invalid-argument", `port: expected 0 to 65535, got ${port}`);
  }
  refuseOpenBind("host", host, allowedHosts);
  const listening = new McpHttpServer<Context>(server, options);
  const actual = await listening.listen({ host, port, socketPath });
  const authority = host.includes(":") ? `[${host}]` : host;
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= listening.close();
    return closed;
  };
  return {
    port: actual,
    url:
      socketPath === undefined ? `http://${authority}:${actual}${path}` : `http://localhost${path}`,
    close,
    [Symbol.asyncDispose]: close,
  };
}
