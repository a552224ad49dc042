import { expect, test } from "vitest";
import { McpServer } from "../mcp/server/server.ts";
import { connectInMemory } from "./connect-in-memory.ts";

test.each([
  ["legacy", "2025-11-25"],
  ["modern", "2026-07-28"],
] as const)("a client of the %s era brings its context and principal", async (era, revision) => {
  const server = new McpServer<string>({ name: "server", version: "1.0.0" });
  server.tool("who", {}, (_, call) => `${call.context} ${call.principal} ${call.revision}`);
  const client = await connectInMemory(server, { era, context: "context", principal: "Ann" });
  const text = `context Ann ${revision}`;
  expect(await client.callTool("who")).toMatchObject({ content: [{ text }] });
  await client.close();
  await expect.poll(() => server.connections.size).toBe(0);
});
