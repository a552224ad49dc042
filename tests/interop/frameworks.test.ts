import { McpServer } from "@idewire/core/server";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, onTestFinished, test } from "vitest";
import { serveByExpress } from "./frameworks/express.ts";
import { serveByFastify } from "./frameworks/fastify.ts";
import { serveByHono } from "./frameworks/hono.ts";

test.each([
  ["Hono", serveByHono],
  ["Express 5", serveByExpress],
  ["Fastify", serveByFastify],
])(
  "mounted in %s, a server is called, reports progress and notifies of changes",
  async (_, serve) => {
    const server = new McpServer({ name: "mounted", version: "1.0.0" });
    server.tool("count", {}, async (_, call) => {
      for (const progress of [1, 2]) call.progress({ progress });
      return "counted";
    });
    const port = await new Promise<number>((resolve) => onTestFinished(serve(server, resolve)));
    const client = new Client({ name: "theirs", version: "1.0.0" });
    onTestFinished(() => client.close());
    let changes = 0;
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
      changes += 1;
    });
    const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`));
    await client.connect(transport as Parameters<Client["connect"]>[0]);
    const seen: number[] = [];
    const result = await client.callTool({ name: "count" }, undefined, {
      onprogress: ({ progress }) => void seen.push(progress),
    });
    expect(result.content).toEqual([{ type: "text", text: "counted" }]);
    expect(seen).toEqual([1, 2]);
    // The stream of changes opens after the handshake.
    await expect
      .poll(() => {
        server.emit("notifications/tools/list_changed");
        return changes;
      })
      .toBeGreaterThan(0);
    const evil = await fetch(`http://127.0.0.1:${port}/mcp`, {
      method: "POST",
      headers: { origin: "https://evil.example", "content-type": "application/json" },
      body: "{}",
    });
    expect(evil.status).toBe(403);
  },
);
