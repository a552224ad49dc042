import { expect, test } from "vitest";
import { manualClock } from "../../../rpc/manual-clock.ts";
import { createMemoryTransportPair } from "../../../rpc/memory-transport.ts";
import { RawEnd, settled } from "../../../testing/raw-end.ts";
import { McpClient } from "../client.ts";
import type { McpClientOptions } from "../client-options.ts";
import { Roots } from "../roots.ts";

const info = { name: "me", version: "1" };
const modern = "2026-07-28";
const discovery = {
  supportedVersions: [modern],
  capabilities: { tools: {}, logging: {} },
  instructions: "be kind",
  _meta: { "io.modelcontextprotocol/serverInfo": { name: "server", version: "2" } },
};
const hello = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {} },
  serverInfo: { name: "old", version: "1" },
};
const meta = {
  "io.modelcontextprotocol/protocolVersion": modern,
  "io.modelcontextprotocol/clientInfo": info,
  "io.modelcontextprotocol/clientCapabilities": {},
};
const refusal = (code: number, data?: unknown) => ({ error: { code, message: "no", data } });

function dial(options: Partial<McpClientOptions> = {}) {
  const [left, right] = createMemoryTransportPair();
  const server = new RawEnd(right);
  const era = "auto";
  const connecting = McpClient.connect(left, { ...info, era, ...options });
  connecting.catch(() => {});
  return { server, connecting };
}

async function connect(options: Partial<McpClientOptions> = {}) {
  const { server, connecting } = dial(options);
  const [question] = await server.take();
  server.answer(question?.id, discovery);
  return { server, client: await connecting };
}

test("one server/discover request connects to a modern server", async () => {
  const { server, connecting } = dial();
  const sent = await server.take();
  expect(sent).toEqual([
    { jsonrpc: "2.0", id: 1_000_000, method: "server/discover", params: { _meta: meta } },
  ]);
  server.answer(1_000_000, discovery);
  const client = await connecting;
  expect(client.server).toEqual({
    protocolVersion: modern,
    capabilities: discovery.capabilities,
    serverInfo: { name: "server", version: "2" },
    instructions: "be kind",
  });
  expect(client.revision).toBe("2026-07-28");
  expect(await server.take()).toEqual([]);
});

test("every request carries the client's identity and capabilities, and no notification is sent", async () => {
  const roots = new Roots(() => []);
  const { server, client } = await connect({ features: [roots], capabilities: { x: {} } });
  roots.listChanged();
  await client.setLogLevel("warning");
  client.meta.set("traceparent", "00-1");
  void client.callTool("t", { a: 1 });
  const sent = await server.take();
  expect(sent).toMatchObject([
    {
      method: "tools/call",
      params: {
        name: "t",
        arguments: { a: 1 },
        _meta: {
          ...meta,
          "io.modelcontextprotocol/clientCapabilities": { roots: {}, x: {} },
          "io.modelcontextprotocol/logLevel": "warning",
          traceparent: "00-1",
        },
      },
    },
  ]);
});

test.each([
  ["an unknown method", refusal(-32_601)],
  ["bad parameters", refusal(-32_602)],
  ["a code of its own", refusal(-1)],
  ["a refusal that names a legacy revision", refusal(-32_022, { supported: ["2025-06-18"] })],
  ["an invalid result", { result: {} }],
  ["a discovery without the revision", { result: { supportedVersions: ["2025-11-25"] } }],
  ["an answer without a result", { error: 5 }],
])("%s leads to initialize on the same connection", async (_, answer) => {
  const { server, connecting } = dial();
  const [question] = await server.take();
  server.send({ jsonrpc: "2.0", id: question?.id, ...answer });
  const [initialize] = await server.take();
  expect(initialize).toMatchObject({
    method: "initialize",
    params: { protocolVersion: "2025-11-25" },
  });
  server.answer(initialize?.id, hello);
  const client = await connecting;
  expect(client.server).toEqual(hello);
  void client.callTool("t");
  const [, call] = await server.take();
  expect(call?.params).toEqual({
    name: "t",
    arguments: {},
    _meta: { progressToken: call?.id },
  });
});

test.each([
  ["headers that differ", refusal(-32_020), { code: -32_020 }],
  ["a capability that is missing", refusal(-32_021), { code: -32_021 }],
  [
    "revisions that are all unknown",
    refusal(-32_022, { supported: ["2031-01-01"] }),
    { code: "version-mismatch", message: expect.stringContaining("2031-01-01") },
  ],
  [
    "a discovery of other revisions",
    { result: { supportedVersions: ["2031-01-01"] } },
    { code: "version-mismatch" },
  ],
])("a modern server with %s is not sent initialize", async (_, answer, error) => {
  const { server, connecting } = dial();
  const [question] = await server.take();
  server.send({ jsonrpc: "2.0", id: question?.id, ...answer });
  await expect(connecting).rejects.toMatchObject(error);
  expect(await server.take()).toEqual([]);
});

test("a refusal that names the requested revision causes one retry", async () => {
  const { server, connecting } = dial();
  for (const attempt of [1, 2]) {
    const [question] = await server.take();
    expect(question?.method, `attempt ${attempt}`).toBe("server/discover");
    const supported = [modern];
    server.send({ jsonrpc: "2.0", id: question?.id, ...refusal(-32_022, { supported }) });
  }
  await expect(connecting).rejects.toMatchObject({ code: "version-mismatch" });
});

test("a time-out leads to initialize, without a cancellation in between", async () => {
  const clock = manualClock();
  const { server, connecting } = dial({ peer: { clock } });
  await server.take();
  clock.advance(6000);
  const [initialize] = await server.take();
  expect(initialize?.method).toBe("initialize");
  server.answer(initialize?.id, hello);
  expect((await connecting).revision).toBe("2025-11-25");
});

test("a modern server that was slow to start is asked again when it refuses initialize", async () => {
  const clock = manualClock();
  const { server, connecting } = dial({ peer: { clock } });
  await server.take();
  clock.advance(6000);
  const [initialize] = await server.take();
  server.send({ jsonrpc: "2.0", id: initialize?.id, ...refusal(-32_601) });
  const [question] = await server.take();
  expect(question?.method).toBe("server/discover");
  server.answer(question?.id, discovery);
  expect((await connecting).revision).toBe("2026-07-28");
});

test("a client of the modern era alone waits for a server that is slow to start", async () => {
  const clock = manualClock();
  const era = "modern";
  const { server, connecting } = dial({ era, peer: { clock } });
  const [question] = await server.take();
  clock.advance(6000);
  server.answer(question?.id, discovery);
  expect((await connecting).revision).toBe("2026-07-28");
});

test("a pinned revision is not probed for, and a client of one era accepts no other", async () => {
  const pinned = dial({ protocolVersion: "2025-06-18" });
  expect((await pinned.server.take())[0]?.method).toBe("initialize");
  const { server, connecting } = dial({ era: "modern" });
  const [question] = await server.take();
  server.send({ jsonrpc: "2.0", id: question?.id, ...refusal(-32_601) });
  await expect(connecting).rejects.toMatchObject({
    code: "version-mismatch",
    message: "The server speaks the legacy era only; this client 2026-07-28",
  });
});

/** A client that connects to several servers in turn. */
function dialServers() {
  const opened: RawEnd[] = [];
  const open = () => {
    const [left, right] = createMemoryTransportPair();
    opened.push(new RawEnd(right));
    return left;
  };
  const connecting = McpClient.connect(open, info);
  const take = async (index: number) => {
    await settled();
    return (await opened[index]?.take()) ?? [];
  };
  const end = async (index: number) => {
    await settled();
    opened[index]?.transport.close(1000, "what?");
    await settled();
  };
  return { opened, connecting, take, end };
}

test("a server that exits on the probe is reopened and initialized, without another probe", async () => {
  const { opened, connecting, take, end } = dialServers();
  await end(0);
  const [initialize] = await take(1);
  expect(initialize?.method).toBe("initialize");
  opened[1]?.answer(initialize?.id, hello);
  const client = await connecting;
  expect(client.revision).toBe("2025-11-25");
  await end(1);
  const ping = client.ping();
  const [again] = await take(2);
  expect(again?.method).toBe("initialize");
  opened[2]?.answer(again?.id, hello);
  const [, asked] = await take(2);
  opened[2]?.answer(asked?.id, {});
  await ping;
});

test("a server that has become modern is probed again when it refuses initialize", async () => {
  const { opened, connecting, take, end } = dialServers();
  const [first] = await take(0);
  opened[0]?.send({ jsonrpc: "2.0", id: first?.id, ...refusal(-32_601) });
  const [initialize] = await take(0);
  opened[0]?.answer(initialize?.id, hello);
  const client = await connecting;
  await end(0);
  client.ping().catch(() => {});
  const [again] = await take(1);
  expect(again?.method).toBe("initialize");
  opened[1]?.send({ jsonrpc: "2.0", id: again?.id, ...refusal(-32_601) });
  const [question] = await take(1);
  expect(question?.method).toBe("server/discover");
  opened[1]?.answer(question?.id, discovery);
  await expect.poll(() => client.era).toBe("modern");
  expect(client.revision).toBe("2026-07-28");
});

test("a result of an unknown or missing type is an error that names it", async () => {
  const { server, client } = await connect();
  for (const [result, seen] of [
    [{ resultType: "weird", content: [] }, '"weird"'],
    ["text", '"text"'],
  ]) {
    const call = client.callTool("t");
    const [request] = await server.take();
    server.answer(request?.id, result);
    await expect(call).rejects.toMatchObject({
      code: "protocol",
      message: expect.stringContaining(String(seen)),
    });
  }
});

test("a request of a modern server is refused, since it may not send any", async () => {
  const { server } = await connect({ features: [new Roots(() => [])] });
  server.request(5, "roots/list");
  expect(await server.take()).toMatchObject([{ id: 5, error: { code: -32_601 } }]);
});
