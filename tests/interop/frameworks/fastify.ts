import type { AddressInfo } from "node:net";
import type { McpServer } from "@idewire/core/server";
import { createMcpHandler } from "@idewire/node-server/http";
import { fastify } from "fastify";

/** Mounts an MCP server in an application of Fastify, which parses bodies itself. */
export function serveByFastify(server: McpServer, ready: (port: number) => void): () => void {
  const handler = createMcpHandler({ server, context: undefined });
  const app = fastify({ forceCloseConnections: true });
  app.all("/mcp", (request, reply) => {
    reply.hijack();
    return handler.node(request.raw, reply.raw, request.body);
  });
  void app.listen({ host: "127.0.0.1", port: 0 }).then(() => {
    ready((app.server.address() as AddressInfo).port);
  });
  return () => {
    handler.close();
    void app.close();
  };
}
