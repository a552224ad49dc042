import type { McpServer, ServerConnection } from "@idewire/core/server";
import { createStdioTransport } from "./stdio-transport.ts";

/**
 * Serves on stdin and stdout of this process, to the client that has started it (MCP 2025-11-25,
 * Transports / stdio). The client ends the connection by closing stdin; until then it holds the process
 * open. Nothing else may write to stdout.
 */
export function serveStdio(server: McpServer<undefined>): ServerConnection<undefined> {
  return server.connect(createStdioTransport(process.stdin, process.stdout));
}
