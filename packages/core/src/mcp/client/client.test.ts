import { expect, test } from "vitest";
import { manualClock } from "../../rpc/manual-clock.ts";
import { createMemoryTransportPair } from "../../rpc/memory-transport.ts";
import { RawEnd, settled } from "../../testing/raw-end.ts";
import type { LegacyRevision } from "../versions.ts";
import { McpClient } from "./client.ts";
import type { McpClientOptions } from "./client-options.ts";
import type { ClientFeature } from "./feature.ts";

const info = { name: "me", version: "1" };
const hello = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
  serverInfo: { name: "server", version: "2" },
};
const question = {
  reference: { type: "ref/prompt", name: "a" },
  argument: "b",
  value: "",
} as const;

function dial(options: Partial<McpClientOptions> = {}) {
  const [left, right] = createMemoryTransportPair();
  const server = new RawEnd(right);
  return { server, connecting: McpClient.connect(left, { ...info, era: "legacy", ...options }) };
}

async function connect(options: Partial<McpClientOptions> = {}) {
  const { server, connecting } = dial(options);
  await server.take();
  server.answer(1_000_000, hello);
  const client = await connecting;
  await server.take();
  return { client, server };
}

test("a client sends initialize, then initialized, and nothing in between", async () => {
  const { server, connecting } = dial();
  expect(await server.take()).toEqual([
    {
      jsonrpc: "2.0",
      id: 1_000_000,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: info },
    },
  ]);
  server.answer(1_000_000, hello);
  const client = await connecting;
  expect(await server.take()).toEqual([{ jsonrpc: "2.0", method: "notifications/initialized" }]);
  expect(client.server).toEqual(hello);
});

test.each(["2024-11-05", "2025-03-26", "2025-06-18"] as const)(
  "a client requests %s if configured",
  async (protocolVersion) => {
    const { server, connecting } = dial({ protocolVersion });
    expect((await server.take())[0]?.params).toMatchObject({ protocolVersion });
    server.answer(1_000_000, { ...hello, protocolVersion });
    expect((await connecting).server.protocolVersion).toBe(protocolVersion);
  },
);

test("an older revision in the server's answer is accepted", async () => {
  const { server, connecting } = dial();
  server.answer(1_000_000, { ...hello, protocolVersion: "2024-11-05" });
  expect((await connecting).server.protocolVersion).toBe("2024-11-05");
});

test.each(["2026-07-28", "1999-01-01", "__proto__", 5, null])(
  "a server that answers with revision %j is refused with the known versions",
  async (protocolVersion) => {
    const { server, connecting } = dial();
    server.answer(1_000_000, { ...hello, protocolVersion });
    await expect(connecting).rejects.toMatchObject({
      code: "version-mismatch",
      message: `The server speaks MCP ${JSON.stringify(protocolVersion)}; this client 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25`,
    });
    expect((await server.take()).map(({ method }) => method)).toEqual(["initialize"]);
    expect(server.closeReason).toEqual({ code: 1008, reason: "initialize failed" });
  },
);

test.each([null, {}, [], "hello", { protocolVersion: "2025-11-25" }])(
  "a server that answers initialize with %j is refused",
  async (answer) => {
    const { server, connecting } = dial();
    server.answer(1_000_000, answer);
    await expect(connecting).rejects.toMatchObject({ code: "protocol" });
    await settled();
    expect(server.closeReason?.code).toBe(1008);
  },
);

test("a server without capabilities has none", async () => {
  const { server, connecting } = dial();
  server.answer(1_000_000, { ...hello, capabilities: undefined });
  expect((await connecting).server.capabilities).toEqual({});
});

test("a refusal, a close and a time-out each reject connect", async () => {
  const refused = dial();
  refused.server.send({ jsonrpc: "2.0", id: 1_000_000, error: { code: 1, message: "no" } });
  await expect(refused.connecting).rejects.toMatchObject({ name: "RpcError", code: 1 });
  const closed = dial();
  closed.server.transport.close(1008, "token");
  await expect(closed.connecting).rejects.toMatchObject({ code: "closed" });
  const clock = manualClock();
  const silent = dial({ peer: { clock } });
  clock.advance(61_000);
  await expect(silent.connecting).rejects.toMatchObject({ code: "timeout" });
});

test("all pages of the tools are fetched, with the cursors as received", async () => {
  const { client, server } = await connect();
  const tools = client.listTools();
  const page = (name: string, nextCursor?: unknown) => ({ tools: [{ name }], nextCursor });
  const pages = [page("a", "1"), page("b", ""), page("c", null)];
  const cursors: unknown[] = [];
  for (const answer of pages) {
    const [request] = await server.take();
    cursors.push(request?.params);
    server.answer(request?.id, answer);
  }
  expect((await tools).map(({ name }) => name)).toEqual(["a", "b", "c"]);
  expect(cursors).toEqual([undefined, { cursor: "1" }, { cursor: "" }]);
});

test("a repeated cursor ends the list", async () => {
  const { client, server } = await connect();
  const tools = client.listTools();
  for (const nextCursor of ["1", "2", "1"]) {
    const [request] = await server.take();
    server.answer(request?.id, { tools: [], nextCursor });
  }
  expect(await tools).toEqual([]);
  expect(await server.take()).toEqual([]);
});

test.each([null, {}, { tools: "none" }, []])(
  "the result %j is not a list of tools",
  async (answer) => {
    const { client, server } = await connect();
    const tools = client.listTools();
    server.answer((await server.take())[0]?.id, answer);
    await expect(tools).rejects.toMatchObject({ code: "protocol" });
  },
);

test("a call sends name and arguments, and returns the result unchanged", async () => {
  const { client, server } = await connect();
  const call = client.callTool("echo", { text: "x" });
  const [request] = await server.take();
  expect(request).toMatchObject({
    method: "tools/call",
    params: { name: "echo", arguments: { text: "x" } },
  });
  const result = { content: [{ type: "image", data: "…" }], isError: true, extra: 1 };
  server.answer(request?.id, result);
  expect(await call).toEqual(result);
});

test.each<[method: string, answer: unknown, ask: (client: McpClient) => Promise<unknown>]>([
  ["tools/call", {}, (client) => client.callTool("a")],
  ["prompts/get", { messages: "none" }, (client) => client.getPrompt("a")],
  ["resources/read", [], (client) => client.readResource("file:///a")],
  ["completion/complete", { completion: {} }, (client) => client.complete(question)],
])(
  "an answer to %s that is not a result is refused, and an error is an RpcError",
  async (...row) => {
    const [method, answer, ask] = row;
    const { client, server } = await connect();
    const [bad, unknown] = [ask(client), ask(client)];
    const [first, second] = await server.take();
    server.answer(first?.id, answer);
    server.send({ jsonrpc: "2.0", id: second?.id, error: { code: -32_602, message: "Unknown" } });
    const message = `The server answered ${method} with ${JSON.stringify(answer)}`;
    await expect(bad).rejects.toMatchObject({ code: "protocol", message });
    await expect(unknown).rejects.toMatchObject({ code: -32_602 });
  },
);

test("a call reports progress, and its cancellation is sent to the server", async () => {
  const { client, server } = await connect();
  const controller = new AbortController();
  const received: unknown[] = [];
  const onProgress = (progress: unknown) => void received.push(progress);
  const call = client.callTool("slow", {}, { signal: controller.signal, onProgress });
  const [request] = await server.take();
  expect(request?.params).toMatchObject({ _meta: { progressToken: request?.id } });
  server.notify("notifications/progress", { progressToken: request?.id, progress: 0.5 });
  await settled();
  controller.abort();
  await expect(call).rejects.toMatchObject({ code: "cancelled" });
  expect(received).toEqual([{ progress: 0.5 }]);
  expect((await server.take())[0]).toMatchObject({
    method: "notifications/cancelled",
    params: { requestId: request?.id },
  });
});

test("initialize is never cancelled on the wire: the connection closes instead", async () => {
  const [left, right] = createMemoryTransportPair();
  const server = new RawEnd(right);
  const controller = new AbortController();
  const connecting = McpClient.connect(left, { ...info, era: "legacy", signal: controller.signal });
  await settled();
  controller.abort();
  await expect(connecting).rejects.toMatchObject({ code: "cancelled" });
  expect((await server.take()).map(({ method }) => method)).toEqual(["initialize"]);
  expect(server.closeReason?.code).toBe(1008);
});

test("ping is answered both ways", async () => {
  const { client, server } = await connect();
  const ping = client.ping();
  server.answer((await server.take())[0]?.id, {});
  await ping;
  server.request("p", "ping");
  expect(await server.take()).toEqual([{ jsonrpc: "2.0", id: "p", result: {} }]);
});

test.each(["sampling/createMessage", "elicitation/create", "roots/list", "nope", "__proto__"])(
  "a client without such a capability answers %s with -32601",
  async (method) => {
    const { server } = await connect();
    server.request(1, method, {});
    expect((await server.take())[0]?.error).toMatchObject({ code: -32_601 });
  },
);

test("a client announces its features and answers by them", async () => {
  const feature: ClientFeature = {
    capabilities: (revision) => ({ shouting: { revision } }),
    requests: { "shout/out": ({ params }, { server }) => ({ ...params, from: server.serverInfo }) },
  };
  const { server, connecting } = dial({ features: [feature], capabilities: { more: {} } });
  const [request] = await server.take();
  expect(request?.params).toMatchObject({
    capabilities: { shouting: { revision: "2025-11-25" }, more: {} },
  });
  server.answer(1_000_000, hello);
  await connecting;
  await server.take();
  server.request(1, "shout/out", { text: "HO" });
  expect(await server.take()).toEqual([
    { jsonrpc: "2.0", id: 1, result: { text: "HO", from: hello.serverInfo } },
  ]);
});

test.each<[string, (client: McpClient) => Promise<unknown>]>([
  ["tools", (client) => client.listTools()],
  ["tools", (client) => client.callTool("echo")],
  ["resources", (client) => client.listResources()],
  ["resources", (client) => client.listResourceTemplates()],
  ["resources", (client) => client.readResource("file:///a")],
  ["resources.subscribe", (client) => client.subscribeResource("file:///a", () => {})],
  ["prompts", (client) => client.listPrompts()],
  ["prompts", (client) => client.getPrompt("a")],
  ["logging", (client) => client.setLogLevel("info")],
])("no request is sent to a server without %s", async (capability, request) => {
  const { server, connecting } = dial();
  await server.take();
  server.answer(1_000_000, { ...hello, capabilities: {} });
  const client = await connecting;
  await server.take();
  await expect(request(client)).rejects.toMatchObject({
    code: "protocol",
    message: expect.stringContaining(`requires a server with ${capability}`),
  });
  expect(await server.take()).toEqual([]);
});

test("clientInfo has only the members of the requested revision", async () => {
  const whole = { ...info, title: "Me", description: "A client", websiteUrl: "https://x.test" };
  const sent = async (protocolVersion: LegacyRevision) =>
    (await dial({ ...whole, protocolVersion }).server.take())[0]?.params;
  expect(await sent("2025-03-26")).toMatchObject({ clientInfo: info });
  expect(await sent("2025-03-26")).not.toHaveProperty("clientInfo.title");
  expect(await sent("2025-06-18")).toHaveProperty("clientInfo.title");
  expect(await sent("2025-06-18")).not.toHaveProperty("clientInfo.websiteUrl");
  expect(await sent("2025-11-25")).toMatchObject({ clientInfo: whole });
});

test("a listener of one kind of notification is called until it is undone", async () => {
  const { client, server } = await connect();
  const received: unknown[] = [];
  const stop = client.on("notifications/a", (params) => void received.push(params));
  server.notify("notifications/a", { n: 1 });
  server.notify("notifications/b", { n: 2 });
  await settled();
  stop();
  server.notify("notifications/a", { n: 3 });
  await settled();
  expect(received).toEqual([{ n: 1 }]);
});

test("notifications of the server are passed on in order, whatever their names", async () => {
  const received: unknown[] = [];
  const { server } = await connect({ onnotification: (...args) => void received.push(args) });
  server.notify("notifications/tools/list_changed");
  server.notify("selection_changed", { text: "" });
  server.notify("__proto__", {});
  await settled();
  expect(received).toEqual([
    ["notifications/tools/list_changed", undefined],
    ["selection_changed", { text: "" }],
    ["__proto__", {}],
  ]);
});

test("closing a client rejects pending requests and closes the connection", async () => {
  const { client, server } = await connect();
  const call = client.callTool("slow");
  void client.close(4000, "bye");
  await expect(call).rejects.toMatchObject({ code: "closed" });
  expect(await client.closed).toEqual({ code: 4000, reason: "bye" });
  await settled();
  expect(server.closeReason).toEqual({ code: 4000, reason: "bye" });
});
