import { requireMembers } from "@idewire/core/internal/base";
import type { McpServer, ServerConnection } from "@idewire/core/server";
import { createStdioTransport } from "./stdio-transport.ts";

/**
 * Serves on stdin and stdout of this process, for the client that has started it (MCP 2025-11-25, Transports /
 * stdio). The client ends the connection by closing stdin; until then the process does not exit. Nothing else may
 * write to stdout. The client has no scopes: `connect` of the server can grant some.
 */
export function serveStdio<Context>(
  server: undefined extends Context ? McpServer<Context> : never,
): ServerConnection<Context> {
  const functions = ["connect"] as const;
  requireMembers("serveStdio", server, { expected: "an McpServer", functions });
  const transport = createStdioTransport(process.stdin, process.stdout);
  return (server as McpServer<Context>).connect(transport, { context: undefined as Context });
}
