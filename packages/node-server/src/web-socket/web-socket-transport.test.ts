import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { createNodeWebSocketTransport, FrameCache } from "./web-socket-transport.ts";

describe("the frame cache", () => {
  const large = "grüße ".repeat(1000);

  test("has no bytes of a frame the first time, and the same from then on", () => {
    const cache = new FrameCache();
    expect(cache.encode(large)).toBeUndefined();
    const bytes = cache.encode(large);
    expect(bytes).toEqual(Buffer.from(large));
    expect(cache.encode(large)).toBe(bytes);
  });

  test("has the header of a small frame too", () => {
    const cache = new FrameCache();
    expect(cache.encode("grüße")).toBeUndefined();
    const bytes = cache.encode("grüße");
    expect(bytes).toEqual(Buffer.concat([Buffer.from([0x81, 7]), Buffer.from("grüße")]));
    expect(cache.encode("grüße")).toBe(bytes);
  });

  test("never returns the bytes of another frame", () => {
    const cache = new FrameCache();
    cache.encode(large);
    cache.encode(large);
    expect(cache.encode("b")).toBeUndefined();
    expect(cache.encode("b")).toEqual(Buffer.from([0x81, 1, 0x62]));
    cache.clear();
    expect(cache.encode("b")).toBeUndefined();
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

  function open() {
    const { webSocket, socket } = accepted;
    return createNodeWebSocketTransport(webSocket, socket, new FrameCache());
  }

  /** The data that the server passes to the operating system, by write. */
  function watchWrites(): Buffer[] {
    const writes: Buffer[] = [];
    const { socket } = accepted;
    const { _write, _writev } = socket;
    socket._write = function (chunk, ...rest) {
      writes.push(Buffer.from(chunk));
      _write.call(this, chunk, ...rest);
    };
    socket._writev = function (chunks, callback) {
      writes.push(Buffer.concat(chunks.map(({ chunk }) => Buffer.from(chunk))));
      _writev?.call(this, chunks, callback);
    };
    return writes;
  }

  test("sends all frames of one turn in one write", async () => {
    const transport = open();
    const writes = watchWrites();
    const received: string[] = [];
    client.on("message", (data) => received.push(data.toString()));
    const sent = Array.from({ length: 50 }, (_, count) => `frame ${count}`);
    for (const frame of sent) transport.send(frame);
    await expect.poll(() => received.length).toBe(50);
    expect(writes.length).toBe(1);
    expect(received).toEqual(sent);
  });

  test("keeps small and large frames in order, in one write", async () => {
    const transport = open();
    const writes = watchWrites();
    const received: string[] = [];
    client.on("message", (data) => received.push(data.toString()));
    const sent = ["a", "b".repeat(5_000), "c", "c", "c", "d".repeat(1_024), "e".repeat(1_025), "f"];
    for (const frame of sent) transport.send(frame);
    await expect.poll(() => received.length).toBe(sent.length);
    expect(received).toEqual(sent);
    expect(writes.length).toBe(1);
  });

  test("counts the bytes that it has not passed on yet", async () => {
    const transport = open();
    transport.send("x".repeat(100));
    expect(transport.bufferedAmount).toBe(102);
    transport.send("y".repeat(2_000));
    expect(transport.bufferedAmount).toBe(102 + 2_004);
    await once(client, "message");
    expect(transport.bufferedAmount).toBe(0);
  });

  test("answers messages before a close frame, then the close", async () => {
    const transport = open();
    transport.onframe = (frame) => transport.send(`answer to ${frame}`);
    const received: string[] = [];
    client.on("message", (data) => received.push(data.toString()));
    const socket = (client as unknown as { _socket: Socket })._socket;
    socket.cork();
    client.send("last words");
    client.close();
    socket.uncork();
    await once(client, "close");
    expect(received).toEqual(["answer to last words"]);
  });

  test("delivers the frames before an invalid one", async () => {
    const transport = open();
    transport.onframe = (frame) => transport.send(`answer to ${frame}`);
    const received: string[] = [];
    client.on("message", (data) => received.push(data.toString()));
    const socket = (client as unknown as { _socket: Socket })._socket;
    socket.cork();
    client.send("last words");
    socket.write(Buffer.from([0xf1, 0x80, 0, 0, 0, 0]));
    socket.uncork();
    const [code] = await once(client, "close");
    expect([code, received]).toEqual([1002, ["answer to last words"]]);
  });

  test("frames that arrive faster than they are processed let others have their turn", async () => {
    const transport = open();
    const turns = [0];
    const received = () => turns.reduce((sum, frames) => sum + frames, 0);
    transport.onframe = () => {
      turns[0] = (turns[0] ?? 0) + 1;
    };
    const socket = (client as unknown as { _socket: Socket })._socket;
    const frame = Buffer.concat([Buffer.from([0x81, 0x8a, 0, 0, 0, 0]), Buffer.from("0123456789")]);
    socket.write(Buffer.concat(Array<Buffer>(50_000).fill(frame)));
    while (received() < 50_000) {
      await new Promise(setImmediate);
      turns.unshift(0);
    }
    // One read has at most 64 KiB.
    expect(Math.max(...turns) * frame.length).toBeLessThanOrEqual(2 * 65_536);
  });

  test("small frames that wait count by what they cost", async () => {
    client.pause();
    const transport = open();
    do {
      transport.send("x".repeat(1 << 20));
      await new Promise(setImmediate);
    } while (transport.bufferedAmount < 1 << 20);
    const before = transport.bufferedAmount;
    for (let count = 0; count < 1_000; count += 1) transport.send("small");
    expect(transport.bufferedAmount - before).toBeGreaterThan(500_000);
    client.resume();
    await expect.poll(() => transport.bufferedAmount, { timeout: 60_000 }).toBe(0);
  });

  test("keeps nothing but its frames for a client that does not read", async () => {
    client.pause();
    const transport = open();
    do {
      transport.send("x".repeat(1 << 20));
      await new Promise(setImmediate);
    } while (transport.bufferedAmount < 1 << 20);
    const waiting: Buffer[] = [];
    const { write } = accepted.socket;
    accepted.socket.write = function (this: Socket, chunk: Buffer, ...rest: never[]) {
      waiting.push(chunk);
      return write.call(this, chunk, ...rest);
    } as typeof write;
    for (let turn = 0; turn < 50; turn += 1) {
      transport.send(`small ${turn}`);
      await new Promise(setImmediate);
    }
    expect(waiting.map(({ buffer, length }) => buffer.byteLength - length)).toEqual(
      Array(50).fill(0),
    );
  });

  test("leaves frames to ws where that compresses", async () => {
    const compressing = createServer();
    const endpoint = new WebSocketServer({ server: compressing, perMessageDeflate: true });
    compressing.listen(0, "127.0.0.1");
    await once(compressing, "listening");
    const url = `ws://127.0.0.1:${(compressing.address() as AddressInfo).port}`;
    const reader = new WebSocket(url, { perMessageDeflate: true });
    const [webSocket, request] = await once(endpoint, "connection");
    const transport = createNodeWebSocketTransport(webSocket, request.socket, new FrameCache());
    const received: string[] = [];
    reader.on("message", (data) => received.push(data.toString()));
    const sent = ["a", "b".repeat(5_000), "c", "c", "d".repeat(100)];
    for (const frame of sent) transport.send(frame);
    await expect.poll(() => received.length).toBe(sent.length);
    expect(received).toEqual(sent);
    reader.terminate();
    endpoint.close();
    compressing.close();
  });

  test("truncates a reason that exceeds a close frame, never within a character", async () => {
    const transport = open();
    const closed = once(client, "close");
    transport.close(1008, "ä".repeat(100));
    const [code, reason] = await closed;
    expect([code, reason.toString()]).toEqual([1008, "ä".repeat(61)]);
  });

  test("closes once, with the client's code and reason", async () => {
    const transport = open();
    const closed = new Promise((resolve) => {
      transport.onclose = resolve;
    });
    client.close(4001, "enough");
    expect(await closed).toEqual({ code: 4001, reason: "enough" });
    transport.send("into the void");
    transport.close();
  });
});
