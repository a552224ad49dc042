import {
  defineTool,
  Logging,
  McpServer,
  memoryStore,
  Resources,
  shareChanges,
  type Tool,
  textResult,
  valibotInput,
} from "@idewire/core";
import { createMcpHandler } from "@idewire/node-server/http";
import * as v from "valibot";
import { expect, onTestFinished, test } from "vitest";
import {
  calling,
  eventsOf,
  getting,
  nextMessage,
  openSession,
  posting,
  request,
  type Send,
} from "../src/http-client.ts";

const nothing = valibotInput(v.object({}));

/** Two instances of a server with a resource, which share a store. */
function open(tools: readonly Tool<unknown>[] = []) {
  const store = memoryStore();
  const errors: Error[] = [];
  const openOne = () => {
    const resources = new Resources({
      subscriptions: true,
      resources: ["test://a", "test://b"].map((uri) => ({
        ...{ uri, name: uri },
        read: () => ({ uri, text: "" }),
      })),
    });
    const server = new McpServer<unknown>({
      info: { name: "s", version: "1" },
      features: [resources, new Logging()],
      changes: shareChanges(store.bus),
      tools,
    });
    const handler = createMcpHandler({
      ...{ server, context: undefined, store },
      onerror: (error) => void errors.push(error),
    });
    onTestFinished(() => handler.close());
    const send: Send = (init) => handler(new Request("http://127.0.0.1:3000/mcp", init));
    return { send, server, resources, close: () => handler.close() };
  };
  return { store, errors, one: openOne(), two: openOne() };
}

const subscribe = (send: Send, session: Record<string, string>, uri: string) =>
  send(posting(request(uri, "resources/subscribe", { uri }), session)).then((r) => r.json());

test("a client hears of a change on any instance, once, as it has subscribed on any", async () => {
  const { one, two } = open();
  const session = await openSession(one.send);
  const heard = eventsOf(await two.send(getting(session)));
  await subscribe(one.send, session, "test://a");
  for (const { resources } of [one, two]) {
    resources.updated("test://b");
    resources.updated("test://a");
  }
  one.resources.listChanged();
  const updated = { method: "notifications/resources/updated", params: { uri: "test://a" } };
  expect(await nextMessage(heard)).toMatchObject(updated);
  expect(await nextMessage(heard)).toMatchObject(updated);
  expect(await nextMessage(heard)).toMatchObject({
    method: "notifications/resources/list_changed",
  });
  await heard.return(undefined);
});

test("of a client that listens anew, the newest response alone carries what it hears", async () => {
  const { one, two } = open();
  const session = await openSession(one.send);
  const first = eventsOf(await one.send(getting(session)));
  const id = (await first.next()).value?.id ?? "";
  one.server.emit("notifications/x", { n: 1 });
  expect(await nextMessage(first)).toMatchObject({ params: { n: 1 } });
  const second = eventsOf(await two.send(getting({ ...session, "last-event-id": id })));
  expect(await nextMessage(first)).toBeUndefined();
  expect(await nextMessage(second)).toMatchObject({ params: { n: 1 } });
  one.server.emit("notifications/x", { n: 2 });
  expect(await nextMessage(second)).toMatchObject({ params: { n: 2 } });
  await expect.poll(() => one.server.connections.size).toBe(0);
  expect(two.server.connections.size).toBe(1);
  await second.return(undefined);
});

test("what a client sets on two instances at once is all kept", async () => {
  const { one, two, store } = open();
  const session = await openSession(one.send);
  const setLevel = request(1, "logging/setLevel", { level: "error" });
  await Promise.all([
    subscribe(one.send, session, "test://a"),
    subscribe(two.send, session, "test://b"),
    two.send(posting(setLevel, session)),
  ]);
  const stored = await store.sessions.get(session["mcp-session-id"] ?? "");
  const { subscriptions = [], ...settings } = stored?.state?.settings ?? {};
  expect([[...subscriptions].sort(), settings]).toEqual([
    ["test://a", "test://b"],
    { logLevel: "error" },
  ]);
});

test("a call is cancelled from any instance", async () => {
  const reasons: unknown[] = [];
  const hang = defineTool({
    name: "hang",
    input: nothing,
    run: (_, __: unknown, { signal }) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          reasons.push("aborted");
          reject(signal.reason as Error);
        });
      }),
  });
  const { one, two } = open([hang]);
  const session = await openSession(one.send);
  const answer = one.send(posting(calling(7, "hang"), session));
  const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } };
  await expect
    .poll(async () => {
      expect((await two.send(posting(cancel, session))).status).toBe(202);
      return reasons;
    })
    .toEqual(["aborted"]);
  expect((await answer).status).toBe(202);
});

test("a session that is ended at one instance is ended at all", async () => {
  const { one, two } = open();
  const session = await openSession(one.send);
  const heard = eventsOf(await two.send(getting(session)));
  expect((await one.send({ method: "DELETE", headers: session })).status).toBe(200);
  expect(await nextMessage(heard)).toBeUndefined();
  expect((await two.send(posting(request(1, "ping"), session))).status).toBe(404);
  await expect.poll(() => two.server.connections.size).toBe(0);
});

test("an answer that nobody waits for is refused, and a foreign session's goes nowhere", async () => {
  const { one } = open();
  const session = await openSession(one.send);
  const refused = await one.send(posting({ jsonrpc: "2.0", id: 5, result: {} }, session));
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
});

test("what an instance has not answered when it closes is told as lost by another", async () => {
  const hang = defineTool({
    name: "hang",
    input: nothing,
    run(_, __: unknown, call) {
      call.progress({ progress: 1 });
      return new Promise<never>(() => {});
    },
  });
  const { one, two } = open([hang]);
  const session = await openSession(one.send);
  const call = posting(calling(7, "hang", {}, { progressToken: "p" }), session);
  const events = eventsOf(await one.send(call));
  const id = (await events.next()).value?.id ?? "";
  one.close();
  for await (const event of events) expect(event.data).not.toHaveProperty("id");
  const resumed = eventsOf(await two.send(getting({ ...session, "last-event-id": id })));
  expect(await nextMessage(resumed)).toMatchObject({ method: "notifications/progress" });
  expect(await nextMessage(resumed)).toMatchObject({ id: 7, error: { code: -32_603 } });
  expect(await nextMessage(resumed)).toBeUndefined();
});

test("an instance that closes leaves its sessions to the others", async () => {
  const echo = defineTool({ name: "echo", input: nothing, run: () => textResult("here") });
  const { one, two } = open([echo]);
  const session = await openSession(one.send);
  const heard = eventsOf(await one.send(getting(session)));
  const id = (await heard.next()).value?.id ?? "";
  one.close();
  expect((await two.send(posting(calling(1, "echo"), session))).status).toBe(200);
  const resumed = eventsOf(await two.send(getting({ ...session, "last-event-id": id })));
  expect(await nextMessage(heard)).toBeUndefined();
  two.server.emit("notifications/x");
  expect(await nextMessage(resumed)).toMatchObject({ method: "notifications/x" });
  await resumed.return(undefined);
});
