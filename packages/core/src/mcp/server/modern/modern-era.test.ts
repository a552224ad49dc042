import { describe, expect, test } from "vitest";
import { modernMeta, openModern } from "../../../testing/modern-fixture.ts";
import { textResult } from "../../content.ts";
import { McpServer } from "../server.ts";
import type { McpServerOptions } from "../server-options.ts";

const info = { name: "s", version: "1", title: "Server" };

function open(options: Partial<McpServerOptions<undefined>> = {}, connect = {}) {
  const caching = { "tools/list": { ttlMs: 9, cacheScope: "public" } } as const;
  const server = new McpServer<undefined>({ ...info, caching, ...options });
  server.tool("echo", {}, () => ({ ...textResult("hello"), _meta: { "x.test/own": 1 } }));
  server.tool("list", { output: { type: "array" } }, async () => [1, 2]);
  server.tool("log", {}, (_, call) => {
    for (const level of ["debug", "warning"] as const) call.log(level, 1);
    call.progress({ progress: 1 });
    return "logged";
  });
  server.resource("file:///a", { name: "a" }, () => "A");
  const kept = { ttlMs: 5000, cacheScope: "public" } as const;
  server.resource("file:///kept", { name: "kept", caching: kept }, () => "K");
  server.prompt("p", { arguments: { a: { complete: () => ["b"] } } }, () => []);
  return { server, ...openModern(server, connect) };
}

const serverInfo = { "io.modelcontextprotocol/serverInfo": info };
const complete = { resultType: "complete", _meta: serverInfo };
const uncached = { ttlMs: 0, cacheScope: "private" };

test("server/discover returns the server's identity and capabilities", async () => {
  const { call } = open({ instructions: "Be kind." });
  const { result } = await call("server/discover");
  expect(result).toEqual({
    ...complete,
    ...uncached,
    supportedVersions: ["2026-07-28"],
    capabilities: {
      tools: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      prompts: { listChanged: true },
      completions: {},
      logging: {},
    },
    instructions: "Be kind.",
  });
});

test.each([
  ["tools/call", { name: "echo" }, { content: [{ type: "text", text: "hello" }] }, undefined],
  ["tools/call", { name: "list" }, { structuredContent: [1, 2] }, undefined],
  [
    "tools/list",
    {},
    { tools: [{ name: "echo" }, { outputSchema: { type: "array" } }, {}] },
    { ttlMs: 9, cacheScope: "public" },
  ],
  ["prompts/list", {}, { prompts: [{ name: "p" }] }, uncached],
  ["prompts/get", { name: "p" }, { messages: [] }, undefined],
  ["resources/list", {}, { resources: [{ uri: "file:///a" }, { uri: "file:///kept" }] }, uncached],
  ["resources/templates/list", {}, { resourceTemplates: [] }, uncached],
  ["resources/read", { uri: "file:///a" }, { contents: [{ text: "A" }] }, uncached],
  ["resources/read", { uri: "file:///kept" }, {}, { ttlMs: 5000, cacheScope: "public" }],
] as const)(
  "%s %j is complete, names the server, and states how long it may be cached",
  async (method, params, result, hint) => {
    const { call } = open();
    const answer = (await call(method, params)).result as Record<string, unknown>;
    expect(answer).toMatchObject({ ...complete, ...result });
    const { ttlMs, cacheScope } = answer;
    expect({ ttlMs, cacheScope }).toEqual(hint ?? { ttlMs: undefined, cacheScope: undefined });
    expect(JSON.stringify(answer)).not.toContain('"caching"');
  },
);

test("a tool's own _meta stays beside the server's name", async () => {
  const { call } = open();
  const { result } = await call("tools/call", { name: "echo" });
  expect(result).toMatchObject({ _meta: { ...serverInfo, "x.test/own": 1 } });
});

test.each([
  [undefined, "_meta: expected an object"],
  ["x", "_meta: expected an object"],
  [{}, "protocolVersion"],
  [{ "io.modelcontextprotocol/clientCapabilities": {} }, "protocolVersion"],
  [{ ...modernMeta(), "io.modelcontextprotocol/protocolVersion": 5 }, "expected a string, got 5"],
  [{ "io.modelcontextprotocol/protocolVersion": "2026-07-28" }, "clientCapabilities"],
  [{ ...modernMeta(), "io.modelcontextprotocol/clientCapabilities": [] }, "an object, got []"],
  [{ ...modernMeta(), "io.modelcontextprotocol/logLevel": "loud" }, 'a log level, got "loud"'],
])("a _meta of %j is -32602 with the value seen", async (meta, words) => {
  const { client } = open({}, { era: "modern" });
  client.request("x", "tools/list", { _meta: meta });
  const [answer] = await client.take();
  expect(answer).toMatchObject({
    id: "x",
    error: { code: -32_602, message: expect.stringContaining(words) },
  });
});

test.each(["2025-11-25", "1900-01-01", "__proto__"])(
  "the revision %j is -32022 with the supported ones",
  async (requested) => {
    const { client } = open();
    const _meta = { ...modernMeta(), "io.modelcontextprotocol/protocolVersion": requested };
    client.request(1, "tools/list", { _meta });
    expect((await client.take())[0]?.error).toMatchObject({
      code: -32_022,
      data: { supported: ["2026-07-28"], requested },
    });
  },
);

test.each([
  ["ping", {}],
  ["logging/setLevel", { level: "info" }],
  ["resources/subscribe", { uri: "file:///a" }],
  ["resources/unsubscribe", { uri: "file:///a" }],
  ["notifications/initialized", {}],
  ["constructor", {}],
])("%s no longer exists", async (method, params) => {
  const { call } = open();
  expect((await call(method, params)).error).toMatchObject({ code: -32_601 });
});

test("a list that the server lacks is an unknown method", async () => {
  const { call } = openModern(new McpServer<undefined>(info));
  expect((await call("resources/list")).error).toMatchObject({ code: -32_601 });
});

test("a missing resource is -32602 with its URI", async () => {
  const { call } = open();
  const { error } = await call("resources/read", { uri: "file:///none" });
  expect(error).toMatchObject({ code: -32_602, data: { uri: "file:///none" } });
});

test("log messages are sent from the level that the request names, else none", async () => {
  const { client } = open();
  const logged = async (meta: object) => {
    client.request("r", "tools/call", { name: "log", _meta: { ...modernMeta(), ...meta } });
    return (await client.take()).flatMap(({ method, params }) =>
      method ? [[method, params]] : [],
    );
  };
  const message = (level: string) => ["notifications/message", { level, data: 1 }];
  expect(await logged({})).toEqual([]);
  expect(await logged({ "io.modelcontextprotocol/logLevel": "warning" })).toEqual([
    message("warning"),
  ]);
  expect(await logged({ "io.modelcontextprotocol/logLevel": "debug", progressToken: 7 })).toEqual([
    message("debug"),
    message("warning"),
    ["notifications/progress", { progressToken: 7, progress: 1 }],
  ]);
});

test("a client of the modern era receives log messages for its calls only", async () => {
  const { client, server, call } = open();
  await call("tools/list");
  server.log("emergency", 1);
  expect(await client.take()).toEqual([]);
});

describe("both eras on one connection", () => {
  const initialize = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "c", version: "1" },
  };

  test("each request is answered in its own", async () => {
    const { client, call } = open();
    client.request("i", "initialize", initialize);
    client.notify("notifications/initialized");
    client.request("l", "tools/call", { name: "list" });
    const legacy = await client.take();
    expect(legacy[0]?.result).toMatchObject({ protocolVersion: "2025-06-18" });
    expect(legacy[1]?.result).toEqual(textResult("[1,2]"));
    expect((await call("tools/call", { name: "list" })).result).toMatchObject(complete);
    client.request("p", "ping");
    expect((await client.take())[0]?.result).toEqual({});
  });

  test("state of a legacy session is not applied to a modern request", async () => {
    const { client, call } = open();
    client.request("i", "initialize", { ...initialize, protocolVersion: "2025-11-25" });
    client.notify("notifications/initialized");
    client.request("v", "logging/setLevel", { level: "debug" });
    await call("tools/call", { name: "log" });
    const logged = (await client.take()).filter(({ method }) => method === "notifications/message");
    expect(logged).toEqual([]);
  });
});

test("a server without the modern era refuses its requests as before", async () => {
  const { client } = open({ eras: "legacy" });
  client.request(1, "server/discover", { _meta: modernMeta() });
  expect((await client.take())[0]?.error).toMatchObject({ code: -32_600 });
});

test("a connection of the legacy era alone refuses the modern one's requests", async () => {
  const { client } = open({}, { era: "legacy" });
  client.request(1, "server/discover", { _meta: modernMeta() });
  expect((await client.take())[0]?.error).toMatchObject({ code: -32_600 });
});

test("a server of the modern era alone names its revision to a legacy client", async () => {
  const { client } = open({ eras: "modern" });
  client.request(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {} });
  expect((await client.take())[0]?.error).toMatchObject({
    code: -32_022,
    message: expect.stringContaining("2026-07-28"),
    data: { supported: ["2026-07-28"], requested: "2025-11-25" },
  });
});

test("unknown tools and prompts are -32602", async () => {
  const { call } = open();
  for (const method of ["tools/call", "prompts/get"]) {
    expect((await call(method, { name: "__proto__" })).error).toMatchObject({ code: -32_602 });
  }
});
