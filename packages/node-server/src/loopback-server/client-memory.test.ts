import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Peer } from "@idewire/core/rpc";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { ClientMemory } from "./client-memory.ts";
import { MemoryBudget } from "./memory-budget.ts";

/** A client's frame: masked, with the shortest length that fits. */
function frame(opcode: number, length: number, isFinal = true): Buffer {
  const first = (isFinal ? 0x80 : 0) | opcode;
  const header =
    length < 126
      ? [first, 0x80 | length]
      : length < 65_536
        ? [first, 0x80 | 126, length >> 8, length & 0xff]
        : [first, 0x80 | 127, 0, 0, 0, 0, ...[24, 16, 8, 0].map((bits) => (length >> bits) & 0xff)];
  return Buffer.concat([Buffer.from([...header, 0, 0, 0, 0]), Buffer.alloc(length, 0x61)]);
}

const TEXT = 1;
const CONTINUATION = 0;
const PONG = 10;
const PIECE = 256;

describe("the memory of a client over a WebSocket", () => {
  const http = createServer();
  const webSockets = new WebSocketServer({ server: http, perMessageDeflate: false });
  let client: WebSocket;
  let socket: Socket;
  let memory: ClientMemory;

  beforeEach(async () => {
    if (!http.listening) {
      http.listen(0, "127.0.0.1");
      await once(http, "listening");
    }
    client = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`);
    const [webSocket, request] = await once(webSockets, "connection");
    socket = request.socket;
    const budget = new MemoryBudget({ maxClientBytes: 1 << 26, maxTotalBytes: 1 << 29 });
    const peer = { heldBytes: 0 } as Peer;
    memory = new ClientMemory({ webSocket, socket, peer }, budget);
    await once(client, "open");
  });

  afterEach(() => client.terminate());
  afterAll(() => http.close());

  /** Passes chunks as the operating system would deliver them. */
  function receive(...chunks: readonly Buffer[]): void {
    for (const chunk of chunks) socket.emit("data", chunk);
  }

  const isUnfinished = () => memory.unfinishedSince !== undefined;

  test.each([0, 1, 125, 126, 65_535, 65_536, 200_000])(
    "is free after a whole frame of %i bytes, however it is cut",
    (length) => {
      const bytes = frame(TEXT, length);
      receive(bytes);
      expect([isUnfinished(), memory.heldBytes]).toEqual([false, 0]);
      for (const cut of [1, 2, 5, bytes.length - 1]) {
        receive(bytes.subarray(0, cut));
        expect([isUnfinished(), memory.heldBytes]).toEqual([true, cut + PIECE]);
        receive(bytes.subarray(cut));
        expect([isUnfinished(), memory.heldBytes]).toEqual([false, 0]);
      }
    },
  );

  test("is free after pings and pongs, however they are cut", () => {
    const bytes = Buffer.concat([frame(PONG, 0), frame(9, 125), frame(PONG, 4)]);
    for (const size of [1, 3, 7, bytes.length]) {
      for (let at = 0; at < bytes.length; at += size) receive(bytes.subarray(at, at + size));
      expect([isUnfinished(), memory.heldBytes]).toEqual([false, 0]);
    }
  });

  test("counts from the first fragment, and control frames between do not restart it", () => {
    receive(frame(PONG, 0));
    expect(isUnfinished()).toBe(false);
    receive(frame(TEXT, 10, false));
    const since = memory.unfinishedSince;
    expect(since).toBeTypeOf("number");
    receive(frame(PONG, 4), frame(CONTINUATION, 3, false));
    expect(memory.unfinishedSince).toBe(since);
    receive(frame(CONTINUATION, 1));
    expect(isUnfinished()).toBe(false);
  });

  test("is free after any frames in chunks of any size", () => {
    const messages = [frame(TEXT, 300), frame(PONG, 2), frame(TEXT, 0, false)];
    const stream = Buffer.concat([...messages, frame(CONTINUATION, 70_000), frame(TEXT, 5)]);
    for (const size of [1, 3, 7, 1_000, stream.length]) {
      for (let at = 0; at < stream.length; at += size) receive(stream.subarray(at, at + size));
      expect([isUnfinished(), memory.heldBytes]).toEqual([false, 0]);
    }
  });

  test("counts each piece of a message with what it costs", () => {
    const bytes = frame(TEXT, 70_000).subarray(0, 30_000);
    for (let at = 0; at < bytes.length; at += 10) receive(bytes.subarray(at, at + 10));
    expect(memory.heldBytes).toBe(30_000 + 3_000 * PIECE);
  });

  test("counts fragments, and not what pings between them carry", () => {
    const fragments = [
      frame(TEXT, 1_000, false),
      frame(CONTINUATION, 500, false),
      frame(PONG, 100),
    ];
    receive(Buffer.concat(fragments));
    expect(memory.heldBytes).toBe(1_008 + 508 + PIECE);
    receive(frame(CONTINUATION, 10));
    expect(memory.heldBytes).toBe(0);
  });

  test("counts a message that began in the last chunk of another when more of it arrives", () => {
    const next = frame(TEXT, 3_000);
    receive(Buffer.concat([frame(TEXT, 5_000), next.subarray(0, 100)]));
    receive(next.subarray(100, 1_100));
    expect([isUnfinished(), memory.heldBytes]).toEqual([true, 1_000 + PIECE]);
    receive(next.subarray(1_100));
    expect([isUnfinished(), memory.heldBytes]).toEqual([false, 0]);
  });
});
