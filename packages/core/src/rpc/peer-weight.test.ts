import { describe, expect, onTestFinished, test, vi } from "vitest";
import { McpClient } from "../mcp/client/client.ts";
import { mcpRequestLifecycle } from "../mcp/protocol.ts";
import { plainInput } from "../mcp/schemas/plain-input.ts";
import { McpServer } from "../mcp/server/server.ts";
import { peerFixture } from "../testing/peer-fixture.ts";
import { RawEnd, settled } from "../testing/raw-end.ts";
import { openBatch } from "./batch.ts";
import type { Call } from "./call.ts";
import { createMemoryTransportPair } from "./memory-transport.ts";

/** Counts the long texts parsed from now on. */
function countParsed() {
  const parse = vi.spyOn(JSON, "parse");
  onTestFinished(() => parse.mockRestore());
  return () => parse.mock.calls.filter(([text]) => text.length > 16_384).length;
}

const MIB = 1 << 20;
const refused = {
  id: null,
  error: {
    code: -32700,
    message: expect.stringMatching(/^Parse error: more than \d+ values, or \d+ levels$/),
  },
};

describe("a frame is bounded by values and levels before it is parsed", () => {
  test.each([
    ["brackets", "[".repeat(16 * MIB)],
    ["objects in one another", '{"a":'.repeat(3 * MIB)],
    ["closed brackets", `${"[".repeat(8 * MIB)}${"]".repeat(8 * MIB)}`],
    ["empty objects", `[${"{},".repeat(5 * MIB)}{}]`],
    [
      "numbers",
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[${"1,".repeat(8 * MIB)}1]}}`,
    ],
    ["keys", `{${Array.from({ length: MIB }, (_, at) => `"k${at}":0`).join()}}`],
    ["calls", `[${Array(200_000).fill('{"jsonrpc":"2.0","id":1,"method":"ping"}').join()}]`],
  ])("%s are answered, never parsed, and the conversation goes on", async (_, frame) => {
    const { other } = peerFixture();
    const parsed = countParsed();
    other.send(frame);
    other.request(2, "ping");
    expect(await other.take()).toMatchObject([refused, { id: 2, result: "pong" }]);
    expect(parsed()).toBe(0);
    expect(other.closeReason).toBe(undefined);
  });

  test("exactly at the limits", async () => {
    const { other } = peerFixture({ maxValues: 11, maxDepth: 3 });
    const text = "x".repeat(20_000);
    // Three brackets and four commas are the request's own.
    other.request(1, "ping", { text, many: Array(5).fill(0) });
    other.request(2, "ping", { text, many: Array(6).fill(0) });
    other.request(3, "ping", { text, deep: [[]] });
    const answers = await other.take();
    expect(answers).toMatchObject([{ id: 1, result: "pong" }, refused, refused]);
  });

  test("but a long string counts as one value", async () => {
    const { other } = peerFixture();
    other.request(1, "ping", { text: 'say("[{,}]");\n'.repeat(MIB) });
    expect(await other.take()).toMatchObject([{ id: 1, result: "pong" }]);
  });

  test.each([
    ["quotes", '"'],
    ["backslashes", "\\"],
    ["a backslash before each quote", '\\"'],
    ["two backslashes before each quote", '\\\\"'],
    ["quotes after words and at the end", 'say "yes" and '],
    ["a path at the end", "C:\\notes\\"],
    ["non-Latin text in quotes", '"ねこ"'],
  ])("a string ends at its closing quote, whatever it contains: %s", async (_, part) => {
    const { other } = peerFixture({ maxValues: 11 });
    const texts = { text: part.repeat(20_000), [part.repeat(9)]: part };
    // Three brackets and five commas are the request's own.
    other.request(1, "ping", { ...texts, many: Array(4).fill(0) });
    other.request(2, "ping", { ...texts, many: Array(5).fill(0) });
    expect(await other.take()).toMatchObject([{ id: 1, result: "pong" }, refused]);
  });

  test("an answer to a request of ours may be long: 1,000 tools, 10,000 diagnostics", async () => {
    const [left, right] = createMemoryTransportPair();
    const server = new RawEnd(right);
    const connecting = McpClient.connect(left, { name: "agent", version: "1", era: "legacy" });
    const [initialize] = await server.take();
    const serverInfo = { name: "editor", version: "1" };
    const agreed = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo };
    server.answer(initialize?.id, agreed);
    const client = await connecting;
    await server.take();
    const properties = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`argument${at}`, { type: "string", title: "One" }]),
    );
    const tools = Array.from({ length: 1_000 }, (_, at) => {
      return { name: `tool${at}`, inputSchema: { type: "object", properties } };
    });
    const listed = client.listTools();
    server.answer((await server.take())[0]?.id, { tools });
    expect((await listed).length).toBe(1_000);
    const start = { line: 1, character: 2 };
    const diagnostic = { range: { start, end: start }, severity: "error", message: "wrong" };
    const found = { diagnostics: Array(10_000).fill(diagnostic) };
    const called = client.callTool("check");
    server.answer((await server.take())[0]?.id, { content: [], structuredContent: found });
    expect(await called).toMatchObject({ structuredContent: found });
  });
});

describe("the memory of a pending call", () => {
  test("has neither unknown parameters nor decoded ones", async () => {
    const calls: Call[] = [];
    const server = new McpServer({ name: "editor", version: "1" });
    const input = plainInput<{ readonly text: string }>({ text: { type: "string" } });
    server.tool("wait", { input }, (_, call) => {
      calls.push(call.message);
      return new Promise<string>(() => {});
    });
    const [left, right] = createMemoryTransportPair();
    server.connect(left);
    const other = new RawEnd(right);
    other.request(0, "initialize", { protocolVersion: "2025-11-25", capabilities: {} });
    const _meta = { progressToken: "t", junk: Array(1_000).fill([]) };
    other.request(1, "tools/call", { name: "wait", arguments: { text: "x" }, _meta, junk: [1] });
    await settled();
    expect(calls[0]?.params).toEqual({ _meta: { progressToken: "t" } });
    other.frames.length = 0;
    calls[0]?.progress({ progress: 1 });
    expect(await other.take()).toMatchObject([{ params: { progressToken: "t", progress: 1 } }]);
  });

  test("is counted until the call is answered or its caller disconnects", async () => {
    const { peer, other } = peerFixture({ lifecycle: mcpRequestLifecycle });
    const release: (() => void)[] = [];
    peer.handle("wait", () => new Promise<void>((resolve) => release.push(resolve)));
    expect(peer.heldBytes).toBe(0);
    const text = "x".repeat(MIB);
    for (const id of [1, 2]) other.request(id, "wait", { text });
    await settled();
    expect(peer.heldBytes).toBeGreaterThan(4 * MIB);
    expect(peer.heldBytes).toBeLessThan(4.1 * MIB);
    release[0]?.();
    await settled();
    expect(peer.heldBytes).toBeLessThan(2.1 * MIB);
    release[1]?.();
    await settled();
    expect(peer.heldBytes).toBe(0);
  });

  test("includes the answers of an incomplete batch, too many of which close the connection", async () => {
    const { peer, other } = peerFixture({ maxRunningSize: 100_000 });
    peer.openBatch = openBatch;
    let finish: () => void = () => {};
    peer.handle("wait", () => new Promise<void>((resolve) => (finish = resolve)));
    peer.handle("tell", () => "x".repeat(10_000));
    const batch = (answers: number) => [
      { jsonrpc: "2.0", id: 1, method: "wait" },
      ...Array.from({ length: answers }, (_, at) => ({
        jsonrpc: "2.0",
        id: at + 2,
        method: "tell",
      })),
    ];
    other.send(batch(9));
    await settled();
    expect(peer.heldBytes).toBeGreaterThan(180_000);
    finish();
    expect((await other.take()).flat().length).toBe(10);
    expect(peer.heldBytes).toBe(0);
    other.send(batch(11));
    await settled();
    expect(other.closeReason?.code).toBe(1008);
  });
});
