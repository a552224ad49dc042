import type { AddressInfo } from "node:net";
import type { McpServer } from "@idewire/core/server";
import { createMcpHandler } from "@idewire/node-server/http";
import express from "express";

/** Mounts an MCP server in an application of Express 5, which parses bodies itself. */
export function serveByExpress(server: McpServer, ready: (port: number) => void): () => void {
  const handler = createMcpHandler({ server, context: undefined });
  const app = express();
  app.use(express.json({ limit: "4mb" }));
  app.all("/mcp", (request, response) => handler.node(request, response, request.body));
  const http = app.listen(0, "127.0.0.1", () => ready((http.address() as AddressInfo).port));
  return () => {
    handler.close();
    http.close();
  };
}
