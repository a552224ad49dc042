import { expect, test } from "vitest";
import { modernMeta, openModern } from "../../../testing/modern-fixture.ts";
import { settled } from "../../../testing/raw-end.ts";
import { McpServer } from "../server.ts";
import type { McpServerOptions } from "../server-options.ts";

const addExtra = (server: McpServer<undefined>) => server.tool("extra", {}, () => "");

function open(options: Partial<McpServerOptions<undefined>> = {}) {
  const server = new McpServer<undefined>({ name: "s", version: "1", ...options });
  server.resource("x:a", { name: "a" }, () => "");
  const fixture = openModern(server);
  const listen = (id: unknown, notifications: unknown) =>
    fixture.client.request(id, "subscriptions/listen", { notifications, _meta: modernMeta() });
  return { ...fixture, server, listen };
}

const tag = (id: unknown) => ({ "io.modelcontextprotocol/subscriptionId": id });
const acknowledged = (id: unknown, notifications: unknown) => ({
  jsonrpc: "2.0",
  method: "notifications/subscriptions/acknowledged",
  params: { _meta: tag(id), notifications },
});
const notification = (id: unknown, method: string, params = {}) => ({
  jsonrpc: "2.0",
  method,
  params: { _meta: tag(id), ...params },
});

test("a stream is acknowledged first, then carries what it subscribed to, with its id", async () => {
  const { client, server, listen } = open();
  const wanted = { toolsListChanged: true, resourceSubscriptions: ["x:a", "x:b"] };
  listen("l", wanted);
  expect(await client.take()).toEqual([acknowledged("l", wanted)]);
  const remove = addExtra(server);
  expect(await client.take()).toEqual([notification("l", "notifications/tools/list_changed")]);
  server.resourceUpdated("x:a");
  server.resourceUpdated("x:c");
  server.resourceListChanged();
  remove();
  expect(await client.take()).toEqual([
    notification("l", "notifications/resources/updated", { uri: "x:a" }),
    notification("l", "notifications/tools/list_changed"),
  ]);
});

test.each([
  [{ promptsListChanged: true, toolsListChanged: true }, { toolsListChanged: true }],
  [{ toolsListChanged: false, resourcesListChanged: "yes" }, {}],
  [{ taskIds: ["t"], constructor: true, unknown: 1 }, {}],
  [{}, {}],
])("of the filter %j the server accepts %j", async (filter, kept) => {
  const { client, listen } = open();
  listen(1, filter);
  expect(await client.take()).toEqual([acknowledged(1, kept)]);
});

test("resources that cannot be subscribed to are left out of the filter", async () => {
  const { client, server, listen } = open({ subscriptions: false });
  listen(1, { resourceSubscriptions: ["x:a"], resourcesListChanged: true });
  expect(await client.take()).toEqual([acknowledged(1, { resourcesListChanged: true })]);
  server.resourceUpdated("x:a");
  expect(await client.take()).toEqual([]);
});

test("two streams each carry what they subscribed to", async () => {
  const { client, server, listen } = open();
  listen(1, { toolsListChanged: true });
  listen(2, { resourcesListChanged: true, toolsListChanged: true });
  await client.take();
  addExtra(server);
  server.resourceListChanged();
  expect(await client.take()).toEqual([
    notification(1, "notifications/tools/list_changed"),
    notification(2, "notifications/tools/list_changed"),
    notification(2, "notifications/resources/list_changed"),
  ]);
});

test("a stream that its client cancels is not answered and carries nothing more", async () => {
  const { client, server, listen } = open({ maxSubscriptions: 1 });
  listen("l", { toolsListChanged: true });
  client.notify("notifications/cancelled", { requestId: "l" });
  await client.take();
  addExtra(server);
  expect(await client.take()).toEqual([]);
  listen("m", {});
  expect(await client.take()).toEqual([acknowledged("m", {})]);
});

test("a stream that the server ends is answered", async () => {
  const { client, server, listen } = open();
  listen("l", { toolsListChanged: true });
  await client.take();
  server.endSubscriptions();
  addExtra(server);
  const serverInfo = { name: "s", version: "1" };
  expect(await client.take()).toEqual([
    {
      jsonrpc: "2.0",
      id: "l",
      result: {
        resultType: "complete",
        _meta: { ...tag("l"), "io.modelcontextprotocol/serverInfo": serverInfo },
      },
    },
  ]);
});

test("a closed connection makes room for another stream", async () => {
  const { client, server, listen } = open({ maxSubscriptions: 1 });
  listen("l", {});
  await client.take();
  client.transport.close();
  await settled();
  const { client: second } = openModern(server);
  second.request(1, "subscriptions/listen", { notifications: {}, _meta: modernMeta() });
  expect(await second.take()).toEqual([acknowledged(1, {})]);
});

test("streams beyond the limit are refused; with a limit of 0 the method is", async () => {
  const { client, listen } = open({ maxSubscriptions: 1 });
  listen(1, {});
  listen(2, {});
  expect((await client.take())[1]).toMatchObject({
    id: 2,
    error: { code: -32_603, message: expect.stringContaining("limit of 1 subscriptions") },
  });
  const none = open({ maxSubscriptions: 0 });
  none.listen(1, {});
  expect((await none.client.take())[0]?.error).toMatchObject({ code: -32_601 });
});

test("one principal cannot use up the streams of others", async () => {
  const { server } = open({ maxSubscriptions: 4 });
  const join = (principal: string) => openModern(server, { principal }).client;
  const ask = async (client: ReturnType<typeof join>, id: number) => {
    client.request(id, "subscriptions/listen", { notifications: {}, _meta: modernMeta() });
    return client.take();
  };
  const [ann, mallory, bob] = [join("ann"), join("mallory"), join("bob")];
  expect(await ask(ann, 1)).toEqual([acknowledged(1, {})]);
  for (const id of [1, 2, 3]) expect(await ask(mallory, id)).toEqual([acknowledged(id, {})]);
  expect((await ask(mallory, 4))[0]?.error).toMatchObject({ code: -32_603 });
  expect(await ask(bob, 1)).toEqual([acknowledged(1, {})]);
  // Only the oldest stream of the principal with the most streams is ended.
  expect((await mallory.take())[0]).toMatchObject({ id: 1, result: { resultType: "complete" } });
  expect([await ann.take(), await bob.take()]).toEqual([[], []]);
});

test.each([
  [undefined, "notifications: expected an object"],
  [[], "notifications: expected an object"],
  [{ resourceSubscriptions: "x:a" }, "resourceSubscriptions: expected a list"],
  [{ resourceSubscriptions: [1] }, "resourceSubscriptions: expected a list"],
  [{ resourceSubscriptions: Array(1001).fill("x:a") }, "at most 1000, got 1001"],
])("the filter %j is -32602", async (filter, words) => {
  const { client, listen } = open();
  listen(1, filter);
  expect((await client.take())[0]?.error).toMatchObject({
    code: -32_602,
    message: expect.stringContaining(words),
  });
});
