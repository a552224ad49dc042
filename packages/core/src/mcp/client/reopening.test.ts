import { expect, test, vi } from "vitest";
import type { Clock } from "../../rpc/clock.ts";
import { manualClock } from "../../rpc/manual-clock.ts";
import { createMemoryTransportPair } from "../../rpc/memory-transport.ts";
import { RawEnd, settled } from "../../testing/raw-end.ts";
import { McpClient } from "./client.ts";
import type { McpClientOptions } from "./client-options.ts";

const info = { name: "me", version: "1" };
const done = { content: [{ type: "text", text: "done" }] };

/** A server that accepts any number of connections in turn. */
class Servers {
  readonly opened: RawEnd[] = [];
  fault: Error | undefined;

  readonly open = () => {
    if (this.fault !== undefined) throw this.fault;
    const [left, right] = createMemoryTransportPair();
    this.opened.push(new RawEnd(right));
    return left;
  };

  /** Answers the handshake; returns the client's later messages. */
  async handshake() {
    const end = this.opened.at(-1) as RawEnd;
    const [hello] = await end.take();
    end.answer(hello?.id, {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {}, resources: { subscribe: true }, logging: {} },
      serverInfo: { name: "server", version: String(this.opened.length) },
    });
    const [initialized, ...later] = await end.take();
    expect(initialized?.method).toBe("notifications/initialized");
    return { end, later };
  }
}

async function connect(options: Partial<McpClientOptions> = {}, clock?: Clock) {
  const servers = new Servers();
  const connecting = McpClient.connect(servers.open, {
    ...info,
    era: "legacy",
    ...options,
    ...(clock && { peer: { clock } }),
  });
  await settled();
  const { end } = await servers.handshake();
  return { servers, end, client: await connecting };
}

async function drop(end: RawEnd) {
  end.transport.close(1006, "gone");
  await settled();
}

test("a call after the connection broke is made over a new one", async () => {
  const { servers, end, client } = await connect();
  await drop(end);
  expect(servers.opened).toHaveLength(1);
  const call = client.callTool("a");
  await settled();
  const { end: next, later } = await servers.handshake();
  next.answer(later[0]?.id, done);
  expect(await call).toEqual(done);
  expect(client.server.serverInfo.version).toBe("2");
});

test("a call in progress when the connection broke is lost, and not repeated", async () => {
  const { servers, end, client } = await connect();
  const call = client.callTool("pay").catch((error) => error);
  await end.take();
  await drop(end);
  expect(await call).toMatchObject({
    code: "lost",
    message: expect.stringContaining("tools/call: the connection broke before the answer"),
  });
  expect(servers.opened).toHaveLength(1);
});

test("concurrent calls open one connection", async () => {
  const { servers, end, client } = await connect();
  await drop(end);
  const calls = Promise.all([client.callTool("a"), client.callTool("b")]);
  await settled();
  const { end: next, later } = await servers.handshake();
  for (const { id } of later) next.answer(id, done);
  expect(await calls).toEqual([done, done]);
  expect(servers.opened).toHaveLength(2);
});

test("a call waits for a new connection no longer than for its answer", async () => {
  const clock = manualClock();
  const { servers, end, client } = await connect({}, clock);
  await drop(end);
  const controller = new AbortController();
  const { signal } = controller;
  const given = client.callTool("a", {}, { signal }).catch((error) => error);
  const late = client.callTool("b", {}, { timeoutMs: 1_000 }).catch((error) => error);
  const patient = client.callTool("c");
  await settled();
  controller.abort();
  expect(await given).toMatchObject({ code: "cancelled" });
  clock.advance(1_000);
  expect(await late).toMatchObject({
    code: "unreachable",
    message: expect.stringContaining("tools/call: not sent"),
  });
  const { end: next, later } = await servers.handshake();
  expect(later).toHaveLength(1);
  next.answer(later[0]?.id, done);
  expect(await patient).toEqual(done);
});

test("if it cannot be opened, the call fails with the reason, and the next one tries again", async () => {
  const { servers, end, client } = await connect();
  await drop(end);
  servers.fault = new Error("no such program");
  await expect(client.callTool("a")).rejects.toThrow("no such program");
  servers.fault = undefined;
  const call = client.callTool("a");
  await settled();
  const { end: next, later } = await servers.handshake();
  next.answer(later[0]?.id, done);
  expect(await call).toEqual(done);
});

test("a call whose reopening fails was not sent, and its error reports that", async () => {
  const { servers, end, client } = await connect();
  await drop(end);
  const call = client.callTool("pay").catch((error) => error);
  await settled();
  await drop(servers.opened.at(-1) as RawEnd);
  expect(await call).toMatchObject({
    code: "unreachable",
    message: expect.stringContaining("tools/call: not sent"),
  });
});

test("the server's state is restored, and subscribers are notified of possibly missed changes", async () => {
  const clock = manualClock();
  const { servers, end, client } = await connect({}, clock);
  const listener = vi.fn();
  const subscribing = client.subscribeResource("file:///a", listener);
  end.answer((await end.take())[0]?.id, {});
  await subscribing;
  const setting = client.setLogLevel("error");
  end.answer((await end.take())[0]?.id, {});
  await setting;
  await drop(end);
  clock.advance(1);
  await settled();
  const { end: next, later: restored } = await servers.handshake();
  expect(restored.map(({ method, params }) => [method, params])).toEqual([
    ["resources/subscribe", { uri: "file:///a" }],
    ["logging/setLevel", { level: "error" }],
  ]);
  expect(listener).not.toHaveBeenCalled();
  next.answer(restored[0]?.id, {});
  await settled();
  expect(listener).toHaveBeenCalledTimes(1);
});

test("a client with listeners reopens by itself, with growing pauses while that fails", async () => {
  const clock = manualClock();
  const { servers, end } = await connect({ onnotification: () => {} }, clock);
  await drop(end);
  servers.fault = new Error("no such program");
  const open = vi.spyOn(servers, "open");
  for (const ms of [1, 500, 1_000, 2_000]) {
    clock.advance(ms);
    await settled();
  }
  expect(open).not.toHaveBeenCalled();
  servers.fault = undefined;
  clock.advance(3_999);
  await settled();
  expect(servers.opened).toHaveLength(1);
  clock.advance(1);
  await settled();
  expect(servers.opened).toHaveLength(2);
});

test("a closed client opens nothing more, and its error reports that", async () => {
  const clock = manualClock();
  const { servers, end, client } = await connect({ onnotification: () => {} }, clock);
  await drop(end);
  void client.close(1000, "enough");
  expect(await client.closed).toEqual({ code: 1000, reason: "enough" });
  clock.advance(100_000);
  await settled();
  expect(servers.opened).toHaveLength(1);
  await expect(client.callTool("a")).rejects.toMatchObject({ code: "closed" });
});

test("an opener that fails at first is reported by connect", async () => {
  const open = () => Promise.reject(new Error("no such address"));
  await expect(McpClient.connect(open, { ...info, era: "legacy" })).rejects.toThrow(
    "no such address",
  );
});
