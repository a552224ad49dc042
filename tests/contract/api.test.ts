import { once } from "node:events";
import { mkdtempSync, realpathSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allDialects, type EditorHost, Emitter, type HostEvents } from "@idewire/core";
import { elicitation } from "@idewire/core/client";
import { createWebSocketTransport, Peer } from "@idewire/core/rpc";
import { McpServer } from "@idewire/core/server";
import { connectInMemory, posixPath } from "@idewire/core/testing";
import { connectMcp, createMcpHandler, createOAuth } from "@idewire/http";
import { createMemoryStore } from "@idewire/http/oauth";
import { connectIde, listenIde, listenMcp, toNodeHandler } from "@idewire/node-server";
import { serveStdio } from "@idewire/node-server/stdio";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { z } from "zod";
import { removeFolder } from "../src/remove-folder.ts";

// The API as users write it: this code must keep compiling and working.

const server = new McpServer({ name: "weather", version: "1.0.0" });

server.tool(
  "forecast",
  {
    description: "Returns the weather for a city",
    input: z.object({ city: z.string() }),
    output: z.object({ celsius: z.number() }),
  },
  async ({ city }, call) => {
    call.progress({ progress: 1, total: 2, message: `asking the station of ${city}` });
    const answer = call.can("elicitation")
      ? await call.ask("Look outside too?", z.object({ yes: z.boolean() }))
      : undefined;
    return { celsius: answer?.action === "accept" && answer.content.yes ? 21 : 20 };
  },
);
server.resource(
  "station://{id}",
  { name: "station", mimeType: "text/plain", list: () => [{ uri: "station://7", name: "7" }] },
  ({ id }) => `Station ${id}`,
);
server.prompt(
  "plan",
  { arguments: { city: { required: true } } },
  ({ city }) => `Plan a day in ${city}`,
);

const form = () => ({ action: "accept", content: { yes: true } }) as const;
const token = "a token of this test";

test.each(["legacy", "modern"] as const)(
  "a server is tested in memory, in the %s era",
  async (era) => {
    const client = await connectInMemory(server, { era, features: [elicitation({ form })] });
    expect(await client.callTool("forecast", { city: "Oslo" })).toMatchObject({
      structuredContent: { celsius: 21 },
    });
    expect(await client.getPrompt("plan", { city: "Oslo" })).toMatchObject({
      messages: [{ content: { text: "Plan a day in Oslo" } }],
    });
    await client.close();
  },
);

test("a server listens, and a client reads what it lists", async () => {
  await using listener = await listenMcp(server, { port: 0, token });
  const client = await connectMcp(listener.url, {
    name: "my-agent",
    version: "1.0.0",
    headers: { authorization: `Bearer ${token}` },
    features: [elicitation({ form })],
  });
  const { structuredContent, isError } = await client.callTool("forecast", { city: "Oslo" });
  expect([structuredContent, isError]).toEqual([{ celsius: 21 }, undefined]);
  for (const { uri } of await client.listResources()) {
    expect(await client.readResource(uri)).toMatchObject([{ text: "Station 7" }]);
  }
  await client.close();
});

test("a handler answers a fetch on any platform", async () => {
  await using mcp = createMcpHandler(server, {
    authorize: () => ({ context: undefined }),
    allowedHosts: ["mcp.example.com"],
    allowedOrigins: ["https://app.example.com"],
    legacy: "stateless",
  });
  expect(toNodeHandler(mcp)).toBeTypeOf("function");
  const client = await connectMcp("https://mcp.example.com/mcp", {
    name: "my-agent",
    version: "1.0.0",
    authorization: createOAuth({
      url: "https://mcp.example.com/mcp",
      store: createMemoryStore(),
      clientCredentials: {
        issuer: "https://auth.example.com",
        clientId: "me",
        clientSecret: "a secret",
      },
      clientName: "My agent",
    }),
    fetch: (url, init) => mcp.fetch(new Request(url, init as RequestInit)),
  });
  expect(await client.callTool("forecast", { city: "Oslo" })).toMatchObject({
    structuredContent: { celsius: 20 },
  });
  await client.close();
});

test("a server without a context is served on stdio", () => {
  expect(serveStdio<unknown>).toBeTypeOf("function");
});

test("a peer answers another over a WebSocket", async () => {
  const sockets = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  onTestFinished(() => sockets.close());
  sockets.on("connection", (socket) => {
    const peer = new Peer(createWebSocketTransport(socket));
    peer.handle<{ a: number; b: number }>("add", ({ params: { a, b } }) => a + b);
  });
  await once(sockets, "listening");
  const socket = new WebSocket(`ws://127.0.0.1:${(sockets.address() as AddressInfo).port}`);
  await once(socket, "open");
  const peer = new Peer(createWebSocketTransport(socket));
  expect(await peer.request("add", { a: 1, b: 2 })).toBe(3);
  peer.close();
});

test("an agent finds an editor of fifteen lines, which shows its diff", async () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "idewire-")));
  onTestFinished(() => removeFolder(home));
  const env = { HOME: home };
  const events = new Emitter<HostEvents>();
  const folder = { path: posixPath(home), name: "work" };
  const myEditor: EditorHost = {
    name: "My Editor",
    version: "1.0.0",
    workspace: () => ({ folders: [folder], trusted: true }),
    documents: () => [],
    selection: () => undefined,
    read: async () => "the text of the file",
    openDiff: async ({ proposed }, signal) => {
      signal.throwIfAborted();
      return { kind: "accepted", text: proposed, edited: false };
    },
    on: (event, listener) => events.on(event, listener),
  };
  await using listener = await listenIde(myEditor, {
    dialects: allDialects,
    share: { level: "selection" },
    env,
  });
  expect(listener.share.maxTextLength).toBe(100_000);
  await using ide = await connectIde({ name: "my-agent", version: "1.0.0", cwd: home, env });
  const answer = await ide.openDiff({ filePath: join(home, "plan.md"), newText: "# Plan\n" });
  expect([ide.editor?.name, answer.kind]).toEqual(["My Editor", "accepted"]);
});

test.each<[unknown, string]>([
  [{ host: {} }, "listenIde: expected an EditorHost, got an object without workspace()"],
  [undefined, "listenIde: expected an EditorHost, got nothing"],
])("%j is refused as a host, with a message", async (host, message) => {
  await expect(listenIde(host as EditorHost)).rejects.toThrow(message);
});
