import { serve } from "@hono/node-server";
import type { McpServer } from "@idewire/core/server";
import { createMcpHandler } from "@idewire/http";
import { Hono } from "hono";

/** Mounts an MCP server in an application of Hono. */
export function serveByHono(server: McpServer, ready: (port: number) => void): () => void {
  const handler = createMcpHandler(server, { access: "anyone" });
  const app = new Hono();
  app.all("/mcp", (c) => handler.fetch(c.req.raw));
  const http = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) =>
    ready(port),
  );
  return () => {
    handler.close();
    http.close();
  };
}
