import { fileURLToPath } from "node:url";
import { elicitation, McpClient } from "@idewire/core/client";
import type { OpenTransport } from "@idewire/core/internal";
import { createHttpTransport } from "@idewire/http";
import { spawnStdioTransport } from "@idewire/node-server/stdio";
import { inputRequired, McpServer } from "@modelcontextprotocol/server";
import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { createAddingServer, text } from "./adding-server.ts";
import { listenTheirs } from "./http-servers.ts";

const info = { name: "ours", version: "1" };

async function connect(open: OpenTransport) {
  const client = await McpClient.connect(open, {
    ...info,
    features: [elicitation({ form: () => ({ action: "accept", content: { name: "Ann" } }) })],
  });
  onTestFinished(() => client.close());
  return client;
}

test.each([
  ["1.32", "2025-11-25"],
  ["2.4", "2026-07-28"],
])(
  "an official server of %s on stdio is one child, and speaks %s with us",
  async (version, revision) => {
    const script = fileURLToPath(new URL("stdio-server.mjs", import.meta.url));
    const open = vi.fn(() => spawnStdioTransport(process.execPath, [script, version]));
    const client = await connect(open);
    expect(client.server.protocolVersion).toBe(revision);
    expect((await client.listTools()).map(({ name }) => name)).toEqual(["add"]);
    expect(await client.callTool("add", { a: 1 })).toMatchObject(text("2"));
    expect(await client.getPrompt("greet", { name: "Ann" })).toMatchObject({
      messages: [{ content: { text: "Hello Ann" } }],
    });
    expect(await client.readResource("note://1")).toMatchObject([{ text: "a note" }]);
    expect(open).toHaveBeenCalledTimes(1);
  },
);

test.each(["sessionsV1", "statelessV1", "sseV1", "sessionsV2"] as const)(
  "an official server with %s is found to be of the legacy era",
  async (kind) => {
    const which = kind === "sessionsV2" ? 1 : 0;
    const theirs = await listenTheirs(kind, () => createAddingServer(which));
    onTestFinished(() => theirs.close());
    const client = await connect(() => createHttpTransport(theirs.url));
    expect(client.revision).toBe("2025-11-25");
    expect(await client.callTool("add", { a: 1 })).toMatchObject(text("2"));
  },
);

test("the official stateless server speaks the modern era with us over HTTP, questions included", async () => {
  const theirs = await listenTheirs("statelessV2", () => {
    const server = new McpServer({ name: "theirs", version: "1" });
    server.registerTool("add", { inputSchema: z.object({ a: z.number() }) }, ({ a }) =>
      text(String(a + 1)),
    );
    server.registerTool("ask", {}, async ({ mcpReq }) => {
      const answers = mcpReq.inputResponses as { who?: { content?: unknown } } | undefined;
      if (answers?.who !== undefined) return text(JSON.stringify(answers.who.content));
      const requestedSchema = {
        type: "object" as const,
        properties: { name: { type: "string" as const } },
      };
      const who = inputRequired.elicit({ message: "Who?", requestedSchema });
      return inputRequired({ inputRequests: { who } });
    });
    return server as never;
  });
  onTestFinished(() => theirs.close());
  const client = await connect(() => createHttpTransport(theirs.url));
  expect(client.server).toMatchObject({
    protocolVersion: "2026-07-28",
    serverInfo: { name: "theirs" },
  });
  const calls = [1, 2, 3, 4].map((a) => client.callTool("add", { a }));
  expect(await Promise.all(calls)).toMatchObject([2, 3, 4, 5].map((sum) => text(String(sum))));
  expect(await client.callTool("ask")).toMatchObject(text('{"name":"Ann"}'));
});
