import { McpClient, type McpClientOptions } from "@idewire/core/client";
import { McpServer } from "@idewire/core/server";
import { createHttpTransport } from "@idewire/http";
import { listenMcp } from "@idewire/node-server";
import { expect, test, vi } from "vitest";
import {
  event,
  events,
  json,
  result,
  type ScriptedAnswer,
  ScriptedHttpServer,
  type SeenRequest,
  withSessions,
} from "../src/scripted-http-server.ts";

const info = { name: "me", version: "1" };
const text = (words: string) => ({ content: [{ type: "text", text: words }] });
const refused = (code: number, id?: number) => ({
  jsonrpc: "2.0",
  ...(id !== undefined && { id }),
  error: { code, message: "no" },
});

/** A modern server; the test answers the requests that it is about. */
async function serve(answer: ScriptedAnswer, tools: readonly object[] = []) {
  return new ScriptedHttpServer(async (seen, response) => {
    if ((await answer(seen, response)) !== false) return;
    const { id, method } = seen.message;
    const capabilities = { tools: {}, resources: {} };
    if (method === "server/discover") {
      json(response, result(id, { supportedVersions: ["2026-07-28"], capabilities }));
    } else if (method === "tools/list") json(response, result(id, { tools }));
    else json(response, result(id, text("done")));
  }).listen();
}

function connect(url: string, options: Partial<McpClientOptions> = {}) {
  const era = "auto";
  return McpClient.connect(createHttpTransport(url), { ...info, era, ...options });
}

const callsOf = ({ seen }: ScriptedHttpServer): readonly SeenRequest[] =>
  seen.filter(({ message }) => message.method === "tools/call");

test("a modern server is connected to in one round trip, and has no session", async () => {
  await using server = await serve(() => false);
  const client = await connect(server.url);
  expect(server.methods).toEqual(["server/discover"]);
  await client.callTool("greet");
  await client.close();
  expect(server.methods).toEqual(["server/discover", "tools/call"]);
  for (const { headers, message } of server.seen) {
    expect(headers).toMatchObject({
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": message.method,
    });
    expect(headers).not.toHaveProperty("mcp-session-id");
  }
  expect(server.seen[1]?.headers["mcp-name"]).toBe("greet");
});

const marked = {
  name: "t",
  inputSchema: {
    type: "object",
    properties: {
      a: { type: "string", "x-mcp-header": "A" },
      deep: { type: "object", properties: { n: { type: "integer", "x-mcp-header": "N" } } },
    },
  },
};

test.each([
  ["plain", "plain"],
  ["", ""],
  ["us west", "us west"],
  [" padded", "=?base64?IHBhZGRlZA==?="],
  ["世", "=?base64?5LiW?="],
  ["a\r\nX: b", "=?base64?YQ0KWDogYg==?="],
  ["=?base64?eA==?=", "=?base64?PT9iYXNlNjQ/ZUE9PT89?="],
])("the argument %j is repeated as the header %j", async (value, header) => {
  await using server = await serve(() => false, [marked]);
  const client = await connect(server.url);
  await client.listTools();
  await client.callTool("t", { a: value, deep: { n: 7 } });
  expect(callsOf(server)[0]?.headers).toMatchObject({
    "mcp-param-a": header,
    "mcp-param-n": "7",
  });
  await client.callTool("t", { a: null });
  expect(callsOf(server)[1]?.headers).not.toHaveProperty("mcp-param-a");
  client.close();
});

test("tools with a bad x-mcp-header are left out", async () => {
  const bad = { name: "bad", inputSchema: { type: "object", "x-mcp-header": "X" } };
  await using server = await serve(() => false, [bad, marked]);
  const client = await connect(server.url);
  expect((await client.listTools()).map(({ name }) => name)).toEqual(["t"]);
  client.close();
});

test("a call without the required headers is repeated once they are known", async () => {
  await using server = await serve(
    ({ message, headers }, response) => {
      if (message.method !== "tools/call" || headers["mcp-param-a"] !== undefined) return false;
      return json(response, refused(-32_020, message.id), {}, 400);
    },
    [marked],
  );
  const client = await connect(server.url);
  expect(await client.callTool("t", { a: "x" })).toEqual(text("done"));
  expect(server.methods.slice(1)).toEqual(["tools/call", "tools/list", "tools/call"]);
  await expect(client.callTool("other", { a: "x" })).rejects.toMatchObject({ code: -32_020 });
  client.close();
});

test("cancelling a call closes its stream, and sends nothing else", async () => {
  const closed = vi.fn();
  const begun = vi.fn();
  await using server = await serve(({ message }, response) => {
    if (message.method !== "tools/call") return false;
    events(response).on("close", closed);
    begun();
  });
  const client = await connect(server.url);
  const controller = new AbortController();
  const call = client.callTool("slow", {}, { signal: controller.signal });
  await expect.poll(() => begun).toHaveBeenCalled();
  controller.abort();
  await expect(call).rejects.toMatchObject({ code: "cancelled" });
  await expect.poll(() => closed).toHaveBeenCalled();
  expect(server.methods.at(-1)).toBe("tools/call");
  client.close();
});

test("a broken stream is requested again with a new id where that does no harm", async () => {
  const hints = [{ readOnlyHint: true }, { idempotentHint: true }, {}];
  const tools = hints.map((annotations, index) => ({
    ...{ name: `t${index}`, annotations },
    inputSchema: { type: "object" },
  }));
  const broken = new Set<unknown>();
  await using server = await serve(({ message }, response) => {
    if (message.method === "server/discover" || message.method === "tools/list") return false;
    const key = JSON.stringify([message.params?.["name"], message.params?.["uri"]]);
    if (broken.has(key)) return json(response, result(message.id, { ...text(key), contents: [] }));
    broken.add(key);
    // The id has no effect: this revision does not support resumption.
    events(response).end(`id: 1\n${event({ jsonrpc: "2.0", method: "notifications/x" })}`);
  }, tools);
  const client = await connect(server.url);
  await client.listTools();
  await client.callTool("t0");
  await client.callTool("t1");
  await client.request("resources/read", { uri: "file:///a" });
  const lost = { code: "lost", message: expect.stringContaining("has no resumption") };
  await expect(client.callTool("t2")).rejects.toMatchObject(lost);
  expect(callsOf(server).map(({ message }) => message.params?.["name"])).toEqual([
    ...["t0", "t0", "t1", "t1", "t2"],
  ]);
  expect(new Set(server.seen.map(({ message }) => message.id)).size).toBe(server.seen.length);
  broken.clear();
  expect(await client.callTool("t2", {}, { reissue: true })).toMatchObject(text('["t2",null]'));
  client.close();
});

test("a call that broke off is lost, though no other attempt was begun", async () => {
  let runs = 0;
  await using server = await serve(({ message }, response) => {
    if (message.method !== "tools/call") return false;
    if (runs > 0) return response.writeHead(503).end();
    runs += 1;
    return events(response).end();
  });
  const client = await connect(server.url);
  const call = client.callTool("pay", {}, { reissue: true });
  await expect(call).rejects.toMatchObject({ code: "lost" });
  expect(callsOf(server)).toHaveLength(2);
  client.close();
});

test.each([
  [401, refused(-32_000), "unauthorized"],
  [403, refused(-32_000), "unauthorized"],
  [429, {}, "unreachable"],
  [503, {}, "unreachable"],
])("HTTP %s causes no fallback to an older era", async (status, body, code) => {
  await using server = await serve((_, response) => json(response, body, {}, status));
  await expect(connect(server.url)).rejects.toMatchObject({ code });
  expect(server.methods).toEqual(["server/discover"]);
});

test.each([
  [400, "text of a proxy"],
  [404, ""],
  [405, ""],
  [400, JSON.stringify(refused(-32_600))],
  [404, JSON.stringify(refused(-32_601))],
  [200, "<html>"],
])("HTTP %s %s leads to initialize, in a session", async (status, body) => {
  await using server = await new ScriptedHttpServer(
    withSessions((seen, response) => {
      if (seen.message.method !== "server/discover") return false;
      const headers = { "content-type": body.startsWith("{") ? "application/json" : "text/html" };
      response.writeHead(status, headers).end(body);
    }),
  ).listen();
  const client = await connect(server.url);
  expect(client.revision).toBe("2025-11-25");
  await client.ping();
  expect(server.methods.slice(0, 2)).toEqual(["server/discover", "initialize"]);
  const { headers } = server.seen.find(({ message }) => message.method === "ping") ?? {};
  expect(headers).toMatchObject({ "mcp-session-id": "session-1" });
  expect(headers).not.toHaveProperty("mcp-method");
  await client.close();
});

test("a modern server that refuses initialize is not used over HTTP with SSE", async () => {
  await using server = await new ScriptedHttpServer(({ message: { id } }, response) =>
    json(response, refused(-32_022, id), {}, 400),
  ).listen();
  const transport = createHttpTransport(server.url);
  await expect(McpClient.connect(transport, { ...info, era: "legacy" })).rejects.toMatchObject({
    code: -32_022,
  });
  expect(server.methods).toEqual(["initialize"]);
});

test("our own server is used in the modern era, with its headers", async () => {
  const { inputSchema: input } = marked as { readonly inputSchema: { readonly type: "object" } };
  const server = new McpServer(info);
  server.tool("t", { input }, ({ a }) => String(a));
  const token = "a token of the test";
  const listener = await listenMcp(server, { token });
  const transport = createHttpTransport(listener.url, {
    headers: { authorization: `Bearer ${token}` },
  });
  const client = await McpClient.connect(transport, { ...info });
  expect(client.server).toMatchObject({ protocolVersion: "2026-07-28", serverInfo: info });
  expect(await client.callTool("t", { a: "ä\n" })).toMatchObject(text("ä\n"));
  client.close();
  await listener.close();
});
