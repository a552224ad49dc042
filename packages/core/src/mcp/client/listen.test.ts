import { expect, test, vi } from "vitest";
import { manualClock } from "../../rpc/manual-clock.ts";
import { createMemoryTransportPair } from "../../rpc/memory-transport.ts";
import { RawEnd, settled } from "../../testing/raw-end.ts";
import { McpServer } from "../server/server.ts";
import { McpClient } from "./client.ts";

const info = { name: "me", version: "1" };
const LISTEN = "subscriptions/listen";
const ID = "io.modelcontextprotocol/subscriptionId";

test("a subscription to a resource of a real server receives its changes, and ends", async () => {
  const server = new McpServer(info);
  server.resource("file:///a", { name: "a" }, () => "A");
  const [left, right] = createMemoryTransportPair();
  server.connect(left);
  const client = await McpClient.connect(right, { ...info });
  const listener = vi.fn();
  const stop = await client.subscribeResource("file:///a", listener);
  server.resourceUpdated("file:///a");
  await expect.poll(() => listener).toHaveBeenCalledTimes(1);
  stop();
  await settled();
  server.resourceUpdated("file:///a");
  await settled();
  expect(listener).toHaveBeenCalledTimes(1);
});

async function connect(clock = manualClock()) {
  const [left, right] = createMemoryTransportPair();
  const server = new RawEnd(right);
  const era = "auto";
  const connecting = McpClient.connect(left, { ...info, era });
  const [question] = await server.take();
  const capabilities = { tools: { listChanged: true } };
  server.answer(question?.id, { supportedVersions: ["2026-07-28"], capabilities });
  const client = await connecting;
  const onnotification = vi.fn();
  const onreopen = vi.fn();
  const topics = { toolsListChanged: true };
  const listening = client.listen(topics, { onnotification, onreopen, clock });
  listening.catch(() => {});
  const [request] = await server.take();
  expect(request).toMatchObject({ method: LISTEN, params: { notifications: topics } });
  const notify = (method: string, id: unknown, more = {}) =>
    server.notify(method, { _meta: { [ID]: id }, ...more });
  const acknowledge = (id: unknown) =>
    notify("notifications/subscriptions/acknowledged", id, { notifications: topics });
  return {
    client,
    server,
    listening,
    id: request?.id,
    notify,
    acknowledge,
    onnotification,
    onreopen,
    clock,
  };
}

const CHANGED = "notifications/tools/list_changed";

test("only notifications with the stream's id, after its acknowledgement, belong to the stream", async () => {
  const { listening, id, notify, acknowledge, onnotification } = await connect();
  notify(CHANGED, id);
  acknowledge("another");
  notify(CHANGED, id);
  acknowledge(id);
  expect((await listening).accepted).toEqual({ toolsListChanged: true });
  expect(onnotification).not.toHaveBeenCalled();
  notify(CHANGED, "another");
  notify(CHANGED, id);
  await settled();
  expect(onnotification).toHaveBeenCalledTimes(1);
  expect(onnotification).toHaveBeenCalledWith(CHANGED, { _meta: { [ID]: id } });
});

test("closing the stream cancels the request", async () => {
  const { listening, id, acknowledge, server } = await connect();
  acknowledge(id);
  (await listening).close();
  expect(await server.take()).toMatchObject([
    { method: "notifications/cancelled", params: { requestId: id } },
  ]);
});

test("a stream that the server ends is reopened with growing pauses, and reports it", async () => {
  const { listening, id, acknowledge, server, onreopen, clock } = await connect();
  acknowledge(id);
  await listening;
  server.answer(id, {});
  for (const delayMs of [500, 1000, 2000]) {
    await settled();
    clock.advance(delayMs - 1);
    expect(await server.take()).toEqual([]);
    clock.advance(1);
    const [request] = await server.take();
    expect(request?.method).toBe(LISTEN);
    if (delayMs === 2000) acknowledge(request?.id);
    else server.answer(request?.id, {});
  }
  await settled();
  expect(onreopen).toHaveBeenCalledTimes(1);
});

test.each([
  ["an error", { error: { code: -32_601, message: "no" } }, { code: -32_601 }],
  ["an end", { result: {} }, { code: "protocol" }],
])("%s in place of an acknowledgement rejects listening", async (_, answer, error) => {
  const { server, listening, id, clock } = await connect();
  server.send({ jsonrpc: "2.0", id, ...answer });
  await expect(listening).rejects.toMatchObject(error);
  clock.advance(60_000);
  expect(await server.take()).toEqual([]);
});

test("a server that never acknowledges times out after a minute", async () => {
  const { server, listening, clock } = await connect();
  clock.advance(60_000);
  await expect(listening).rejects.toMatchObject({
    ...{ code: "timeout", message: "subscriptions/listen: not acknowledged in 60000 ms" },
  });
  expect(await server.take()).toMatchObject([{ method: "notifications/cancelled" }]);
  expect(clock.waiting).toBe(0);
});

test("the legacy era has no stream of subscriptions", async () => {
  const [left, right] = createMemoryTransportPair();
  const server = new RawEnd(right);
  const connecting = McpClient.connect(left, { ...info, era: "legacy" });
  await server.take();
  const hello = { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: info };
  server.answer(1_000_000, hello);
  const client = await connecting;
  await expect(client.listen({})).rejects.toMatchObject({ code: "protocol" });
});
