import { expect, test, vi } from "vitest";
import { createMemoryTransportPair } from "../../rpc/memory-transport.ts";
import { asObject, type RawMessage } from "../../rpc/message.ts";
import { RawEnd, settled } from "../../testing/raw-end.ts";
import { McpClient } from "./client.ts";

type Era = "legacy" | "modern";

const info = { name: "me", version: "1" };
const uri = "file:///a";
const UPDATED = "notifications/resources/updated";
const LOG_LEVEL = "io.modelcontextprotocol/logLevel";
const VERSION = "io.modelcontextprotocol/protocolVersion";
const hello = {
  protocolVersion: "2025-11-25",
  supportedVersions: ["2026-07-28"],
  capabilities: { tools: {}, logging: {}, resources: { subscribe: true } },
  serverInfo: { name: "server", version: "1" },
};
const handshake: Readonly<Record<Era, string>> = {
  legacy: "initialize",
  modern: "server/discover",
};

/** A server that starts anew for each connection, in the era set at that time. */
class Restarted {
  era: Era;
  /** The requests to the newest one. */
  requests: RawMessage[] = [];
  end: RawEnd | undefined;

  constructor(era: Era) {
    this.era = era;
  }

  readonly open = () => {
    const [left, right] = createMemoryTransportPair();
    const end = new RawEnd(right);
    const { era } = this;
    this.end = end;
    this.requests = [];
    end.transport.onframe = (frame) => this.#take(end, JSON.parse(frame), era);
    return left;
  };

  /** Ends the server; the next one is of this era. */
  async restart(era: Era): Promise<void> {
    this.era = era;
    this.end?.transport.close(1006, "gone");
    await settled();
  }

  requestsOf(method: string): RawMessage[] {
    return this.requests.filter((message) => message.method === method);
  }

  #take(end: RawEnd, message: RawMessage, era: Era): void {
    const { id, method, params } = message;
    if (id === undefined) return;
    this.requests.push(message);
    const { notifications } = asObject(params);
    const _meta = { "io.modelcontextprotocol/subscriptionId": id };
    if (method === handshake[era]) end.answer(id, hello);
    else if (method === "initialize" || method === "server/discover") {
      end.send({ jsonrpc: "2.0", id, error: { code: -32_601, message: "no such method" } });
    } else if (notifications !== undefined) {
      end.notify("notifications/subscriptions/acknowledged", { notifications, _meta });
    } else end.answer(id, { content: [] });
  }
}

async function connect(era: Era) {
  const server = new Restarted(era);
  const client = await McpClient.connect(server.open, info);
  return { server, client };
}

const call = { name: "t", arguments: {}, _meta: { progressToken: expect.any(Number) } };
const inModern = { _meta: expect.objectContaining({ [VERSION]: "2026-07-28" }) };

test.each<[Era, Era, object]>([
  ["legacy", "modern", { ...call, ...inModern }],
  ["modern", "legacy", call],
])(
  "a call to a server that was %s and is restarted as %s has the form of the new era",
  async (first, then, params) => {
    const { server, client } = await connect(first);
    await client.callTool("t");
    await server.restart(then);
    expect(await client.callTool("t")).toEqual({ content: [] });
    expect(server.requests.at(-1)).toMatchObject({ method: "tools/call" });
    expect(server.requests.at(-1)?.params).toEqual(params);
    void client.close();
  },
);

test.each<[Era, Era, string]>([
  ["legacy", "modern", "server/discover"],
  ["modern", "legacy", "ping"],
])("a server that was %s and is restarted as %s is probed by %s", async (first, then, method) => {
  const { server, client } = await connect(first);
  await server.restart(then);
  await client.ping();
  expect(server.requests.at(-1)?.method).toBe(method);
  void client.close();
});

test.each<[Era, Era]>([
  ["legacy", "modern"],
  ["modern", "legacy"],
])("settings sent to a %s server apply to the %s one in its place", async (first, then) => {
  const { server, client } = await connect(first);
  const listener = vi.fn();
  const stop = await client.subscribeResource(uri, listener);
  await client.setLogLevel("error");
  await server.restart(then);
  // A change may have been missed.
  await expect.poll(() => listener).toHaveBeenCalledTimes(1);
  await client.callTool("t");
  const [called] = server.requestsOf("tools/call");
  if (then === "modern") {
    const [listen] = server.requestsOf("subscriptions/listen");
    expect(listen?.params).toMatchObject({ notifications: { resourceSubscriptions: [uri] } });
    expect(called?.params).toMatchObject({ _meta: { [LOG_LEVEL]: "error" } });
  } else {
    expect(server.requestsOf("resources/subscribe")[0]?.params).toEqual({ uri });
    expect(server.requestsOf("logging/setLevel")[0]?.params).toEqual({ level: "error" });
    expect(called?.params).toEqual(call);
  }
  server.end?.notify(UPDATED, { uri });
  await expect.poll(() => listener).toHaveBeenCalledTimes(2);
  stop();
  const ended = then === "modern" ? [] : [{ uri }];
  await client.ping();
  expect(server.requestsOf("resources/unsubscribe").map(({ params }) => params)).toEqual(ended);
  void client.close();
});
