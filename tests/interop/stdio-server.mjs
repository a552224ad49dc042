// A server of an official SDK on stdin and stdout: `stdio-server.mjs 1.32` or `2.4`.
import { McpServer as ServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { McpServer as ServerV2 } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const info = { name: "official", version: "1.0.0" };

function offer(server) {
  server.registerTool("add", { inputSchema: { a: z.number() } }, ({ a }) => ({
    content: [{ type: "text", text: String(a + 1) }],
  }));
  server.registerPrompt("greet", { argsSchema: { name: z.string() } }, ({ name }) => ({
    messages: [{ role: "user", content: { type: "text", text: `Hello ${name}` } }],
  }));
  server.registerResource("note", "note://1", {}, (uri) => ({
    contents: [{ uri: uri.href, text: "a note" }],
  }));
  return server;
}

if (process.argv[2] === "1.32") {
  await offer(new ServerV1(info)).connect(new StdioServerTransport());
} else serveStdio(() => offer(new ServerV2(info)));
