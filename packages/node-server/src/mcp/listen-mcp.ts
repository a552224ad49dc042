import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo, ListenOptions } from "node:net";
import { isLoopbackName } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import type { McpServer } from "@idewire/core/server";
import type { McpHandlerOptions } from "@idewire/http";
import { handlerNames, type OptionNames, refusePath, refuseUnknown } from "@idewire/http/internal";
import { McpHttpServer } from "./mcp-http-server.ts";

/** How an MCP server is offered over HTTP by a listener of its own. */
export type ListenMcpOptions<Context> = McpHandlerOptions<Context> & {
  /** `/mcp` by default. */
  readonly path?: string;
  /** The address to listen at; 127.0.0.1 by default. Any other needs `allowedHosts`. */
  readonly host?: string;
  /** Any free one when left out. */
  readonly port?: number;
  /** A unix socket, or a pipe of Windows, in place of a port. */
  readonly socketPath?: string;
};

const listenerNames: OptionNames<ListenMcpOptions<unknown>> = {
  ...handlerNames,
  path: true,
  host: true,
  port: true,
  socketPath: true,
};

/** An MCP server over HTTP. The caller closes it. */
export interface McpListener {
  /** Where clients connect; over a socket of the file system, what they call it. */
  readonly url: string;
  /** 0 for a socket of the file system. */
  readonly port: number;
  /** Ends the sessions, and frees the port. */
  close(): Promise<void>;
}

/**
 * Offers an MCP server over Streamable HTTP, on plain `node:http`. With a `token`, web pages are refused by
 * their Origin unless `allowedOrigins` names it.
 * @throws IdewireError `port-in-use` when the port or socket is not to be had, `invalid-argument` for options
 * that cannot be, such as a host that is no address of this machine
 */
export async function listenMcp<Context>(
  server: McpServer<Context>,
  options: ListenMcpOptions<Context>,
): Promise<McpListener> {
  refuseUnknown("", options, listenerNames);
  const { path = "/mcp", host = "127.0.0.1", port = 0, socketPath, allowedHosts = [] } = options;
  refusePath("path", path);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new IdewireError("invalid-argument", `port: expected 0 to 65535, got ${port}`);
  }
  if (!isLoopbackName(host) && allowedHosts.length === 0) {
    throw new IdewireError("invalid-argument", `host: ${host} needs allowedHosts`);
  }
  const listening = new McpHttpServer(server, options, path);
  const where = socketPath === undefined ? { host, port } : { path: socketPath };
  await listenAt(listening.http, where);
  const actual = socketPath === undefined ? (listening.http.address() as AddressInfo).port : 0;
  const authority = host.includes(":") ? `[${host}]` : host;
  let closed: Promise<void> | undefined;
  return {
    port: actual,
    url:
      socketPath === undefined ? `http://${authority}:${actual}${path}` : `http://localhost${path}`,
    close() {
      closed ??= listening.close();
      return closed;
    },
  };
}

type ListenFault = NodeJS.ErrnoException;

async function listenAt(server: Server, where: ListenOptions): Promise<void> {
  server.listen(where);
  const cause = await once(server, "listening").then(
    () => undefined,
    (error: ListenFault) => error,
  );
  if (cause === undefined) return;
  const isForeign = cause.code === "EADDRNOTAVAIL" || cause.syscall === "getaddrinfo";
  const code = isForeign ? "invalid-argument" : "port-in-use";
  throw new IdewireError(code, describeFault(where, cause), { cause });
}

function describeFault({ host, port, path = "" }: ListenOptions, cause: ListenFault): string {
  if (port === undefined) return `The socket ${path} cannot be had: ${cause.code}`;
  if (cause.code === "EADDRNOTAVAIL") return `host: ${host} is no address of this machine`;
  if (cause.syscall === "getaddrinfo") return `host: ${host} is not known (${cause.code})`;
  if (cause.code !== "EADDRINUSE") return `Port ${port} cannot be had: ${cause.code}`;
  return port === 0 ? "No port is available" : `Port ${port} is used by another program`;
}
