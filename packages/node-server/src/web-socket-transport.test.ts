import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { createNodeWebSocketTransport, FrameCache } from "./web-socket-transport.ts";

describe("the frame cache", () => {
  const large = "grüße ".repeat(1000);

  test("gives a large frame itself the first time, and the same bytes from then on", () => {
    const cache = new FrameCache();
    expect(cache.encode(large)).toBe(large);
    const bytes = cache.encode(large);
    expect(bytes).toEqual(Buffer.from(large));
    expect(cache.encode(large)).toBe(bytes);
  });

  test("gives the same bytes of a small frame every time", () => {
    const cache = new FrameCache();
    const bytes = cache.encode("grüße");
    expect(bytes).toEqual(Buffer.from("grüße"));
    expect(cache.encode("grüße")).toBe(bytes);
  });

  test("never gives one frame's bytes for another", () => {
    const cache = new FrameCache();
    cache.encode(large);
    cache.encode(large);
    expect(cache.encode("b")).toEqual(Buffer.from("b"));
    expect(cache.encode("c")).toEqual(Buffer.from("c"));
    cache.clear();
    expect(cache.encode(large)).toBe(large);
  });
});

describe("a transport over ws", () => {
  const server = createServer();
  const webSockets = new WebSocketServer({ server });
  let client: WebSocket;
  let accepted: { webSocket: WebSocket; socket: Socket };

  beforeEach(async () => {
    if (!server.listening) {
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
    }
    client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const [webSocket, request] = await once(webSockets, "connection");
    accepted = { webSocket, socket: request.socket };
    await once(client, "open");
  });

  afterEach(() => client.terminate());
  afterAll(() => server.close());

  test("sends all frames of one turn in one write", async () => {
    const { webSocket, socket } = accepted;
    const transport = createNodeWebSocketTransport(webSocket, socket, new FrameCache());
    let writes = 0;
    const { _writev } = socket;
    socket._writev = function (...args) {
      writes += 1;
      return _writev?.apply(this, args);
    };
    const received: string[] = [];
    client.on("message", (data) => received.push(data.toString()));
    for (let count = 0; count < 50; count += 1) transport.send(`frame ${count}`);
    await expect.poll(() => received.length).toBe(50);
    expect(writes).toBe(1);
    expect(received).toEqual(Array.from({ length: 50 }, (_, count) => `frame ${count}`));
  });

  test("cuts a reason that a close frame cannot hold, and no character in two", async () => {
    const { webSocket, socket } = accepted;
    const transport = createNodeWebSocketTransport(webSocket, socket, new FrameCache());
    const closed = once(client, "close");
    transport.close(1008, "ä".repeat(100));
    const [code, reason] = await closed;
    expect([code, reason.toString()]).toEqual([1008, "ä".repeat(61)]);
  });

  test("closes once, with the client's code and reason", async () => {
    const { webSocket, socket } = accepted;
    const transport = createNodeWebSocketTransport(webSocket, socket, new FrameCache());
    const closed = new Promise((resolve) => {
      transport.onclose = resolve;
    });
    client.close(4001, "enough");
    expect(await closed).toEqual({ code: 4001, reason: "enough" });
    transport.send("into the void");
    transport.close();
  });
});
