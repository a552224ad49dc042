import { expect, test, vi } from "vitest";
import { createMemoryTransportPair } from "../../../rpc/memory-transport.ts";
import { RawEnd, settled } from "../../../testing/raw-end.ts";
import { McpClient } from "../client.ts";
import { resultCache } from "./result-cache.ts";

const info = { name: "me", version: "1" };
const TOOLS = "notifications/tools/list_changed";
const UPDATED = "notifications/resources/updated";
const prefix = "io.modelcontextprotocol";
const able = { tools: { listChanged: true }, prompts: {}, resources: { subscribe: true } };

/** A server that records the requested filters, and accepts them. */
class ListeningServer {
  /** The filters of the open streams, by the ids of their requests. */
  readonly open = new Map<unknown, object>();
  /** Those of all streams so far. */
  readonly requested: object[] = [];
  refusal: object | undefined;
  isSilent = false;
  readonly #end: RawEnd;

  constructor(end: RawEnd, capabilities: object) {
    this.#end = end;
    end.transport.onframe = (frame) => {
      const { id, method, params } = JSON.parse(frame);
      if (method === "server/discover") {
        end.answer(id, { supportedVersions: ["2026-07-28"], capabilities });
      } else if (method === "subscriptions/listen") this.#listen(id, params.notifications);
      else if (method === "notifications/cancelled") this.open.delete(params.requestId);
      else end.answer(id, { tools: [], ttlMs: 1e6 });
    };
  }

  notify(method: string, params = {}): void {
    for (const id of this.open.keys()) {
      this.#end.notify(method, { ...params, _meta: { [`${prefix}/subscriptionId`]: id } });
    }
  }

  /** Ends all streams, as a server does before it exits. */
  endStreams(): void {
    for (const id of this.open.keys()) this.#end.answer(id, {});
    this.open.clear();
  }

  #listen(id: unknown, notifications: object): void {
    this.requested.push(notifications);
    if (this.isSilent) return;
    if (this.refusal !== undefined) {
      this.#end.send({ jsonrpc: "2.0", id, error: this.refusal });
      return;
    }
    this.open.set(id, notifications);
    const _meta = { [`${prefix}/subscriptionId`]: id };
    this.#end.notify("notifications/subscriptions/acknowledged", { notifications, _meta });
  }
}

async function connect(capabilities: object = able) {
  const servers: ListeningServer[] = [];
  const ends: RawEnd[] = [];
  const open = () => {
    const [left, right] = createMemoryTransportPair();
    const end = new RawEnd(right);
    ends.push(end);
    servers.push(new ListeningServer(end, capabilities));
    return left;
  };
  const client = await McpClient.connect(open, { ...info, features: [resultCache()] });
  const [server] = servers as [ListeningServer];
  return { client, server, servers, ends };
}

const settledWell = async () => {
  for (let turn = 0; turn < 4; turn += 1) await settled();
};

test("nothing is requested without listeners, nor for topics that the server does not support", async () => {
  const { client, server } = await connect();
  client.on("notifications/message", () => {});
  client.onListChanged("prompts", () => {});
  await settledWell();
  expect(server.requested).toEqual([]);
});

test("one stream serves all topics, and closes with the last listener", async () => {
  const { client, server } = await connect();
  const listener = vi.fn();
  const stops = [client.onListChanged("tools", listener), client.onListChanged("tools", listener)];
  await settledWell();
  expect([...server.open.values()]).toEqual([{ toolsListChanged: true }]);
  stops.push(await client.subscribeResource("file:///a", listener));
  stops.push(await client.subscribeResource("file:///a", listener));
  const both = { toolsListChanged: true, resourceSubscriptions: ["file:///a"] };
  expect([...server.open.values()]).toEqual([both]);
  server.notify(TOOLS);
  server.notify(UPDATED, { uri: "file:///a" });
  server.notify(UPDATED, { uri: "file:///b" });
  await settledWell();
  expect(listener).toHaveBeenCalledTimes(4);
  const [first, second, third, fourth] = stops;
  // Unsubscribing twice counts once.
  for (const stop of [first, first, third]) stop?.();
  await settledWell();
  expect([...server.open.values()]).toEqual([both]);
  second?.();
  await settledWell();
  expect([...server.open.values()]).toEqual([{ resourceSubscriptions: ["file:///a"] }]);
  fourth?.();
  await settledWell();
  expect(server.open.size).toBe(0);
  expect(server.requested).toHaveLength(3);
});

test("listeners added before the connection are called, too", async () => {
  const [left, right] = createMemoryTransportPair();
  const server = new ListeningServer(new RawEnd(right), able);
  const listener = vi.fn();
  await McpClient.connect(left, {
    ...info,
    features: [
      resultCache(),
      {
        capabilities: () => ({}),
        attach: (client) => void client.onListChanged("tools", listener),
      },
    ],
  });
  await settledWell();
  server.notify(TOOLS);
  await settledWell();
  expect(listener).toHaveBeenCalledTimes(1);
});

test("a broken stream is reopened, and possibly missed changes are reported and fetched", async () => {
  const { client, server } = await connect();
  const listener = vi.fn();
  const updated = vi.fn();
  client.onListChanged("tools", listener);
  await client.subscribeResource("file:///a", updated);
  await client.listTools();
  server.endStreams();
  await vi.waitFor(() => expect(listener).toHaveBeenCalledTimes(1), 5_000);
  expect(updated).toHaveBeenCalledTimes(1);
  expect(server.open.size).toBe(1);
  const sent = vi.spyOn(client.peer, "send");
  await client.listTools();
  expect(sent).toHaveBeenCalledTimes(1);
});

test("a restarted server is subscribed to again", async () => {
  const { client, servers, ends } = await connect();
  const listener = vi.fn();
  client.onListChanged("tools", listener);
  await settledWell();
  ends[0]?.transport.close(1006, "gone");
  await vi.waitFor(() => expect(listener).toHaveBeenCalledTimes(1), 5_000);
  expect([...(servers[1]?.open.values() ?? [])]).toEqual([{ toolsListChanged: true }]);
});

test("a resource that the server refuses does not affect the others", async () => {
  const { client, server } = await connect();
  const listener = vi.fn();
  client.onListChanged("tools", listener);
  await settledWell();
  server.refusal = { code: -32_602, message: "no such resource" };
  const subscribed = client.subscribeResource("file:///none", listener);
  await expect(subscribed).rejects.toMatchObject({ code: -32_602 });
  await settledWell();
  server.notify(TOOLS);
  await settledWell();
  expect(listener).toHaveBeenCalledTimes(1);
  expect([...server.open.values()]).toEqual([{ toolsListChanged: true }]);
});

test("a subscription while the client closes is rejected", async () => {
  const { client, server } = await connect();
  server.isSilent = true;
  const subscribed = client.subscribeResource("file:///a", () => {});
  subscribed.catch(() => {});
  await settledWell();
  expect(server.requested).toHaveLength(1);
  void client.close();
  await expect(subscribed).rejects.toMatchObject({ code: "cancelled" });
});

test("a client that closes ends its stream, and opens no other", async () => {
  const { client, server } = await connect();
  client.onListChanged("tools", () => {});
  await settledWell();
  void client.close();
  client.onListChanged("tools", () => {});
  await settledWell();
  expect(server.requested).toHaveLength(1);
});
