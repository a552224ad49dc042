import type { AddressInfo } from "node:net";
import type { McpServer } from "@idewire/core/server";
import { createMcpHandler } from "@idewire/http";
import { toNodeHandler } from "@idewire/node-server";
import { fastify } from "fastify";

/** Mounts an MCP server in an application of Fastify, which parses bodies itself. */
export function serveByFastify(server: McpServer, ready: (port: number) => void): () => void {
  const handler = createMcpHandler(server, { access: "anyone" });
  const answer = toNodeHandler(handler);
  const app = fastify({ forceCloseConnections: true });
  app.all("/mcp", (request, reply) => {
    reply.hijack();
    return answer(Object.assign(request.raw, { body: request.body }), reply.raw);
  });
  void app.listen({ host: "127.0.0.1", port: 0 }).then(() => {
    ready((app.server.address() as AddressInfo).port);
  });
  return () => {
    handler.close();
    void app.close();
  };
}
