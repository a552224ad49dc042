import { afterEach, expect, test, vi } from "vitest";
import { createMemoryTransportPair } from "../../../rpc/memory-transport.ts";
import { RawEnd, settled } from "../../../testing/raw-end.ts";
import { McpClient } from "../client.ts";
import type { ClientFeature } from "../feature.ts";
import { listAll, toolList } from "../list-all.ts";
import { resultCache } from "./result-cache.ts";

const info = { name: "me", version: "1" };

afterEach(() => {
  vi.useRealTimers();
});

/** A server that answers each request by a script, and counts them. */
async function connect(
  answer: (method: string, params: Record<string, unknown>) => object,
  cache: ClientFeature = resultCache(),
) {
  vi.useFakeTimers({ toFake: ["performance"] });
  const [left, right] = createMemoryTransportPair();
  const server = new RawEnd(right);
  const methods: string[] = [];
  right.onframe = (frame) => {
    const { id, method, params } = JSON.parse(frame);
    const capabilities = { tools: {}, resources: {} };
    const discovery = { supportedVersions: ["2026-07-28"], capabilities };
    if (method === "server/discover") return server.answer(id, discovery);
    methods.push(method);
    server.answer(id, answer(method, params));
  };
  const client = await McpClient.connect(left, { ...info, features: [cache] });
  return { client, server, methods };
}

const tools = [{ name: "t", inputSchema: { type: "object" } }];

test("a list is fetched again once it expires, and not before", async () => {
  const { client, methods } = await connect(() => ({ tools, ttlMs: 5000, cacheScope: "private" }));
  await client.listTools();
  vi.advanceTimersByTime(4999);
  expect(await client.listTools()).toEqual(tools);
  expect(methods).toHaveLength(1);
  vi.advanceTimersByTime(1);
  await client.listTools();
  expect(methods).toHaveLength(2);
});

test.each([0, -1, "5000", undefined, null])("a lifetime of %j caches nothing", async (ttlMs) => {
  const { client, methods } = await connect(() => ({ tools, ttlMs }));
  await client.listTools();
  await client.listTools();
  expect(methods).toHaveLength(2);
});

test("each page, and each resource, is cached separately", async () => {
  const { client, methods } = await connect((method, { cursor, uri }) => {
    if (method === "resources/read") return { contents: [{ uri, text: "x" }], ttlMs: 9000 };
    if (cursor === undefined) return { tools, nextCursor: "2", ttlMs: 9000 };
    return { tools: [{ name: "other", inputSchema: {} }], ttlMs: 9000 };
  });
  for (const _ of [1, 2]) {
    expect(await client.listTools()).toHaveLength(2);
    await client.readResource("file:///a");
    await client.readResource("file:///b");
  }
  expect(methods.sort()).toEqual(["resources/read", "resources/read", "tools/list", "tools/list"]);
});

test("a notification invalidates what it names, and nothing else", async () => {
  const { client, server, methods } = await connect((method, { uri }) =>
    method === "resources/read"
      ? { contents: [{ uri, text: "x" }], ttlMs: 9000 }
      : { tools, ttlMs: 9000 },
  );
  const ask = async () => {
    methods.length = 0;
    await client.listTools();
    for (const uri of ["file:///a", "file:///b"]) await client.readResource(uri);
    return [...methods];
  };
  await ask();
  server.notify("notifications/tools/list_changed");
  await settled();
  expect(await ask()).toEqual(["tools/list"]);
  server.notify("notifications/resources/updated", { uri: "file:///a" });
  await settled();
  expect(await ask()).toEqual(["resources/read"]);
  server.notify("notifications/resources/list_changed");
  await settled();
  expect(await ask()).toEqual([]);
});

test("a request for a fresh result bypasses the cache, and its result is cached", async () => {
  let version = 0;
  const { client, methods } = await connect((_, { uri }) => {
    version += 1;
    return { contents: [{ uri, text: String(version) }], ttlMs: 9000 };
  });
  const read = (options = {}) => client.readResource("file:///a", options);
  expect(await read()).toMatchObject([{ text: "1" }]);
  expect(await read({ refresh: true })).toMatchObject([{ text: "2" }]);
  expect(await read()).toMatchObject([{ text: "2" }]);
  expect(methods).toHaveLength(2);
});

test.each([
  ["public", 1],
  ["private", 2],
  [undefined, 2],
  ["PUBLIC", 2],
])(
  "a result of scope %j is fetched by two clients of a server %i times",
  async (cacheScope, times) => {
    const cache = resultCache();
    const answer = () => ({ tools, ttlMs: 9000, cacheScope });
    const one = await connect(answer, cache);
    const two = await connect(answer, cache);
    for (const { client } of [one, two, one, two]) expect(await client.listTools()).toEqual(tools);
    expect(one.methods.length + two.methods.length).toBe(times);
    // A notification to one client discards the kept result for all.
    two.server.notify("notifications/tools/list_changed");
    await settled();
    await two.client.listTools();
    expect(two.methods.length).toBe(times === 1 ? 1 : 2);
  },
);

test("a result of one server is not used for clients of another", async () => {
  const answer = () => ({ tools, ttlMs: 9000, cacheScope: "public" });
  const [one, two] = [await connect(answer), await connect(answer)];
  await one.client.listTools();
  await two.client.listTools();
  expect([one.methods, two.methods]).toEqual([["tools/list"], ["tools/list"]]);
});

test("a result that depends on answers is not cached", async () => {
  const { client, methods } = await connect((_, { uri, requestState }) =>
    requestState === undefined
      ? { resultType: "input_required", requestState: "s" }
      : { contents: [{ uri, text: "x" }], ttlMs: 9000 },
  );
  await client.readResource("file:///a");
  await client.readResource("file:///a");
  expect(methods).toHaveLength(4);
});

test("a list may be read page by page, and stopped after any of them", async () => {
  const { client, methods } = await connect((_, { cursor }) => ({
    tools: [{ name: String(cursor) }],
    nextCursor: `${cursor}.`,
  }));
  const seen: string[] = [];
  for await (const [tool] of client.toolPages()) {
    seen.push(tool?.name ?? "");
    if (seen.length === 3) break;
  }
  expect(seen).toEqual(["undefined", "undefined.", "undefined.."]);
  expect(methods).toHaveLength(3);
});

test("a list ends after 1,000 pages, with a warning", async () => {
  let pages = 0;
  const warn = vi.fn();
  const client = {
    warn,
    async request() {
      pages += 1;
      return { tools: [{ name: `t${pages}` }], nextCursor: String(pages) };
    },
  };
  expect(await listAll(client, toolList)).toHaveLength(1_000);
  expect(pages).toBe(1_000);
  const words = "tools/list: the server has more than 1000 pages; the others are left out";
  expect(warn.mock.calls).toEqual([[words]]);
});
