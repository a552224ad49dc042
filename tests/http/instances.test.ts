import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { McpServer, memoryStore } from "@idewire/core/server";
import { deferred } from "@idewire/core/testing";
import { createMcpHandler } from "@idewire/http";
import type { HttpLimits } from "@idewire/http/internal";
import { toNodeHandler } from "@idewire/node-server";
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
import { checkMerging } from "../src/session-merging.ts";

type AddTool = (server: McpServer) => void;

/** Two instances of a server with a resource, which share a store. */
function open(addTool: AddTool = () => undefined, limits: Partial<HttpLimits> = {}) {
  const store = memoryStore();
  const errors: Error[] = [];
  const openOne = () => {
    const onerror = (error: Error) => void errors.push(error);
    const server = new McpServer({
      ...{ name: "s", version: "1", onerror, store },
    });
    for (const uri of ["test://a", "test://b"]) server.resource(uri, { name: uri }, () => "");
    server.resource("test://many/{n}", { name: "many" }, () => "");
    addTool(server);
    const handler = createMcpHandler(server, { ...{ access: "anyone", limits }, onerror });
    onTestFinished(() => handler.close());
    const send: Send = (init) => handler.fetch(new Request("http://127.0.0.1:3000/mcp", init));
    return { send, server, close: () => handler.close() };
  };
  return { store, errors, one: openOne(), two: openOne() };
}

const initialize = (more: object = {}) =>
  request(0, "initialize", {
    ...{ protocolVersion: "2025-11-25", capabilities: {} },
    clientInfo: { name: "test", version: "1" },
    ...more,
  });

const subscribe = (send: Send, session: Record<string, string>, uri: string) =>
  send(posting(request(uri, "resources/subscribe", { uri }), session)).then((r) => r.json());

test("a client is notified of a change on any instance, once, wherever it subscribed", async () => {
  const { one, two } = open();
  const session = await openSession(one.send);
  const received = eventsOf(await two.send(getting(session)));
  await subscribe(one.send, session, "test://a");
  for (const { server } of [one, two]) {
    server.resourceUpdated("test://b");
    server.resourceUpdated("test://a");
  }
  one.server.resourceListChanged();
  const updated = { method: "notifications/resources/updated", params: { uri: "test://a" } };
  expect(await nextMessage(received)).toMatchObject(updated);
  expect(await nextMessage(received)).toMatchObject(updated);
  expect(await nextMessage(received)).toMatchObject({
    method: "notifications/resources/list_changed",
  });
  await received.return(undefined);
});

test("of a client that listens again, only the newest response carries notifications", async () => {
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

test("settings of a client on two instances at once are all kept", async () => {
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

test("concurrent requests that change one session lose no change, however they overlap", async () => {
  await checkMerging(memoryStore(), 50);
});

test("a call is cancelled from any instance", async () => {
  const reasons: unknown[] = [];
  const { one, two } = open((server) => {
    server.tool(
      "hang",
      {},
      (_, { signal }) =>
        new Promise<never>((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            reasons.push("aborted");
            reject(signal.reason as Error);
          });
        }),
    );
  });
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

test("an id in flight at one instance is refused at every instance, and accepted once that is answered", async () => {
  const finished = deferred<void>();
  const runs: string[] = [];
  const { one, two, errors } = open((server) => {
    server.tool("wait", {}, async () => {
      runs.push("7");
      await finished.promise;
      return "done";
    });
  });
  const session = await openSession(one.send);
  const answers = [7, "7"].map((id) => one.send(posting(calling(id, "wait"), session)));
  await expect.poll(() => runs).toEqual(["7", "7"]);
  for (const { send } of [one, two]) {
    const refused = await send(posting(calling(7, "wait"), session));
    const error = { code: -32_600, message: "Invalid Request: id 7 is still in use" };
    expect([refused.status, await refused.json()]).toEqual([400, { jsonrpc: "2.0", id: 7, error }]);
  }
  const wrong = { ...session, "mcp-protocol-version": "2025-03-26" };
  expect((await two.send(posting(calling(8, "wait"), wrong))).status).toBe(400);
  finished.resolve();
  for (const answer of answers) {
    expect(await (await answer).json()).toMatchObject({ result: { content: [{ text: "done" }] } });
  }
  for (const id of [7, 8]) {
    expect((await two.send(posting(calling(id, "wait"), session))).status).toBe(200);
  }
  expect([runs.length, errors]).toEqual([4, []]);
});

test("all instances together have as many sessions as one may have, and end idle ones first", async () => {
  const { one, two, store } = open(undefined, { maxSessions: 3 });
  const first = await openSession(one.send);
  const received = eventsOf(await two.send(getting(first)));
  await received.next();
  const second = await openSession(two.send);
  const third = await openSession(one.send);
  const fourth = await openSession(two.send);
  const statuses = await Promise.all(
    [first, second, third, fourth].map(
      async (session) => (await one.send(posting(request(1, "ping"), session))).status,
    ),
  );
  expect(statuses).toEqual([200, 404, 200, 200]);
  expect(await store.events.append(`${second["mcp-session-id"]}:g`, { frame: "x" }, 1)).toBe(
    undefined,
  );
  // All sessions were just used.
  const refused = await one.send(posting(initialize()));
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await refused.json()).toMatchObject({ error: { message: "Too many sessions; end one" } });
  await one.send({ method: "DELETE", headers: third });
  expect((await one.send(posting(initialize()))).status).toBe(200);
  await received.return(undefined);
});

test("the stored state of a session is bounded, and exceeding it is reported", async () => {
  const { one, two } = open();
  const clientInfo = { name: "c".repeat(70_000), version: "1" };
  const large = await one.send(posting(initialize({ clientInfo })));
  expect([large.status, await large.json()]).toEqual([
    413,
    {
      ...{ jsonrpc: "2.0", id: 0 },
      error: {
        code: -32_600,
        message: expect.stringMatching(
          /^initialize: expected at most 65536 characters, got 70\d\d\d; shorten clientInfo and capabilities$/,
        ),
      },
    },
  ]);
  const session = await openSession(one.send);
  const uri = (n: number) => `test://many/${n}${"x".repeat(100_000)}`;
  const statuses: number[] = [];
  for (const n of [1, 2, 3]) {
    const message = request(n, "resources/subscribe", { uri: uri(n) });
    const response = await two.send(posting(message, session));
    statuses.push(response.status);
    if (n === 3) {
      expect(await response.json()).toMatchObject({ id: 3, error: { code: -32_600 } });
    }
  }
  expect(statuses).toEqual([200, 200, 413]);
  const end = request(4, "resources/unsubscribe", { uri: uri(1) });
  expect((await one.send(posting(end, session))).status).toBe(200);
});

test("a session that is ended at one instance is ended at every instance", async () => {
  const { one, two } = open();
  const session = await openSession(one.send);
  const received = eventsOf(await two.send(getting(session)));
  expect((await one.send({ method: "DELETE", headers: session })).status).toBe(200);
  expect(await nextMessage(received)).toBeUndefined();
  expect((await two.send(posting(request(1, "ping"), session))).status).toBe(404);
  await expect.poll(() => two.server.connections.size).toBe(0);
});

test("an unexpected answer is refused, and one of a foreign session goes nowhere", async () => {
  const { one } = open();
  const session = await openSession(one.send);
  const refused = await one.send(posting({ jsonrpc: "2.0", id: 5, result: {} }, session));
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
});

test("calls that an instance leaves unanswered are reported as lost by another", async () => {
  const { one, two } = open((server) => {
    server.tool("hang", {}, (_, call) => {
      call.progress({ progress: 1 });
      return new Promise<never>(() => {});
    });
  });
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
  const { one, two } = open((server) => void server.tool("echo", {}, () => "here"));
  const session = await openSession(one.send);
  const received = eventsOf(await one.send(getting(session)));
  const id = (await received.next()).value?.id ?? "";
  one.close();
  expect((await two.send(posting(calling(1, "echo"), session))).status).toBe(200);
  const resumed = eventsOf(await two.send(getting({ ...session, "last-event-id": id })));
  expect(await nextMessage(received)).toBeUndefined();
  two.server.emit("notifications/x");
  expect(await nextMessage(resumed)).toMatchObject({ method: "notifications/x" });
  await resumed.return(undefined);
});

test("a client that listens without reading is disconnected at its limit", async () => {
  const server = new McpServer({ name: "s", version: "1" });
  const handler = createMcpHandler(server, { access: "anyone" });
  const http = createServer(toNodeHandler(handler));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    handler.close();
    http.close();
    http.closeAllConnections();
  });
  const { port } = http.address() as AddressInfo;
  const session = await openSession((init) => fetch(`http://127.0.0.1:${port}/mcp`, init));
  const listening = once(http, "connection");
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  const [far] = (await listening) as [Socket];
  const headers = Object.entries({ ...session, accept: "text/event-stream" });
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.pause().write(`GET /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines}\r\n`);
  await expect.poll(() => server.connections.size).toBe(1);
  const pad = "x".repeat(64_000);
  for (let n = 0; n < 500 && !far.destroyed; n += 1) {
    server.log("error", `${n} ${pad}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await expect.poll(() => far.destroyed).toBe(true);
  expect(far.bytesWritten).toBeLessThan(16_000_000);
});
