import type { AddressInfo } from "node:net";
import type { McpServer } from "@idewire/core/server";
import { createMcpHandler } from "@idewire/http";
import { toNodeHandler } from "@idewire/node-server";
import express from "express";

/** Mounts an MCP server in an application of Express 5, which parses bodies itself. */
export function serveByExpress(server: McpServer, ready: (port: number) => void): () => void {
  const handler = createMcpHandler(server, { access: "anyone" });
  const app = express();
  app.use(express.json({ limit: "4mb" }));
  app.all("/mcp", toNodeHandler(handler));
  const http = app.listen(0, "127.0.0.1", () => ready((http.address() as AddressInfo).port));
  return () => {
    handler.close();
    http.close();
  };
}
