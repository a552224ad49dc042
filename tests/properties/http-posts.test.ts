import { McpServer } from "@idewire/core/server";
import { listenMcp } from "@idewire/node-server";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seed } from "../src/fuzz.ts";

fc.configureGlobal({ seed });

const token = "secret-of-the-test";
/** An endpoint with one session of a revision. */
async function open(protocolVersion: string) {
  let onWait = () => {};
  const waits = new Promise<void>((resolve) => {
    onWait = resolve;
  });
  const server = new McpServer({ name: "test", version: "1.0.0" });
  server.tool("echo", { description: "Answers" }, () => "here");
  server.tool("wait", { description: "Never answers" }, () => {
    onWait();
    return new Promise<never>(() => {});
  });
  const listener = await listenMcp(server, { token });
  const post = (body: unknown, session: Readonly<Record<string, string>> = {}) =>
    fetch(listener.url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...session,
      },
      body: JSON.stringify(body),
      // Far above the time of an answer: a request without one would wait endlessly.
      signal: AbortSignal.timeout(20_000),
    });
  const clientInfo = { name: "test", version: "1" };
  const params = { protocolVersion, capabilities: {}, clientInfo };
  const first = await post({ jsonrpc: "2.0", id: "first", method: "initialize", params });
  const session = { "mcp-session-id": first.headers.get("mcp-session-id") ?? "" };
  await post({ jsonrpc: "2.0", method: "notifications/initialized" }, session);
  return { post, session, waits, close: () => listener.close() };
}

const oddId = fc.oneof(
  fc.constantFrom<unknown>(null, true, [], {}, "", 0, -1, 1.5, 1e300, "\ud800", "1", 1),
  fc.jsonValue(),
);
const message = fc.oneof(
  fc.record(
    {
      jsonrpc: fc.constantFrom<unknown>("2.0", "1.0", 2),
      id: oddId,
      method: fc.constantFrom<unknown>("ping", "tools/list", "initialize", "no/such", 5, null),
      params: fc.constantFrom<unknown>({}, [], 5, { name: "echo", arguments: {} }),
      result: fc.constant({}),
    },
    { requiredKeys: [] },
  ),
  fc.jsonValue(),
);

describe.each(["2025-03-26", "2025-11-25"])("in a session of MCP %s", (revision) => {
  test("every POST is answered, whatever it contains, and leaves the session free", async () => {
    const { post, session, close } = await open(revision);
    const body = fc.oneof(message, fc.array(message, { maxLength: 4 }));
    const isAnswered = async (value: unknown) => {
      const answer = await post(value, session);
      expect([200, 202, 400]).toContain(answer.status);
      await answer.text();
    };
    await fc.assert(fc.asyncProperty(body, isAnswered), { numRuns: 300 });
    const after = await post({ jsonrpc: "2.0", id: "after", method: "ping" }, session);
    expect(await after.json()).toEqual({ jsonrpc: "2.0", id: "after", result: {} });
    await close();
  });

  test("a cancelled request has its POST ended", async () => {
    const { post, session, waits, close } = await open(revision);
    const params = { name: "wait", arguments: {} };
    const waiting = post({ jsonrpc: "2.0", id: 7, method: "tools/call", params }, session);
    await waits;
    const second = await post({ jsonrpc: "2.0", id: 7, method: "ping" }, session);
    expect(await second.json()).toMatchObject({ id: 7, error: { code: -32600 } });
    const requestId = 7;
    const method = "notifications/cancelled";
    await post({ jsonrpc: "2.0", method, params: { requestId } }, session);
    expect((await waiting).status).toBe(202);
    await close();
  });
});

test("a batch in a revision without batches is answered with the reason", async () => {
  const { post, session, close } = await open("2025-11-25");
  const answer = await post([{ jsonrpc: "2.0", id: 1, method: "ping" }], session);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toEqual({
    jsonrpc: "2.0",
    error: expect.objectContaining({ code: -32600 }),
  });
  await close();
});

test("an initialize that cannot be answered opens no session", async () => {
  const { post, close } = await open("2025-11-25");
  const answer = await post({ jsonrpc: "2.0", id: {}, method: "initialize", params: {} });
  expect(answer.status).toBe(400);
  const session = { "mcp-session-id": answer.headers.get("mcp-session-id") ?? "none" };
  expect((await post({ jsonrpc: "2.0", id: 1, method: "ping" }, session)).status).toBe(404);
  await close();
});
