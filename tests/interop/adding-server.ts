import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { sdks } from "./sdks.ts";

/** The result of a tool that returns text. */
export const text = (words: string) => ({ content: [{ type: "text" as const, text: words }] });

/** A server of the official SDK at an index, whose tool `add` adds one to a number. */
export function createAddingServer(which: number, capabilities: object = {}): McpServer {
  const server = sdks[which]?.createServer(capabilities);
  if (server === undefined) throw new Error("no such SDK");
  server.registerTool("add", { inputSchema: z.object({ a: z.number() }) }, ({ a }) =>
    text(String(a + 1)),
  );
  return server;
}
