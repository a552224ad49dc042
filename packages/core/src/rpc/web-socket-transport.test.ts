import { expect, test } from "vitest";
import { manualClock } from "./manual-clock.ts";
import type { CloseReason } from "./transport.ts";
import { createWebSocketTransport, type WebSocketLike } from "./web-socket-transport.ts";

interface SocketEvents {
  message: { readonly data: unknown };
  close: CloseReason;
  error: unknown;
}

/** A browser's WebSocket, played by the test. */
class PlayedSocket implements WebSocketLike {
  readyState = 1;
  bufferedAmount = 0;
  readonly sent: string[] = [];
  readonly closes: unknown[] = [];
  readonly #listeners = new Map<string, ((event: never) => void)[]>();

  addEventListener(type: string, listener: (event: never) => void): void {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }

  emit<E extends keyof SocketEvents>(type: E, event: SocketEvents[E]): void {
    for (const listener of this.#listeners.get(type) ?? []) listener(event as never);
  }

  send(data: string): void {
    this.sent.push(data);
  }

  close(code?: number, reason?: string): void {
    if (code !== 1000 && (code ?? 0) < 3000) throw new Error("a page may not use this code");
    this.closes.push([code, reason]);
  }
}

function open() {
  const socket = new PlayedSocket();
  const clock = manualClock();
  const transport = createWebSocketTransport(socket, clock);
  const received: unknown[] = [];
  transport.onframe = (frame) => received.push(frame);
  transport.onclose = (reason) => received.push(reason);
  transport.ondrain = () => received.push("drain");
  return { socket, clock, transport, received };
}

const HIGH = 1_000_000;

test("messages and closes of the socket are passed on; only text is accepted", () => {
  const { socket, received } = open();
  socket.emit("message", { data: "text" });
  socket.emit("message", { data: new ArrayBuffer(1) });
  expect(received).toEqual(["text"]);
  // A page may not close with 1003.
  expect(socket.closes).toEqual([[1000, "Only text frames are understood"]]);
  socket.emit("error", undefined);
  socket.emit("close", { code: 1006, reason: "" });
  expect(received).toEqual(["text", { code: 1006, reason: "" }]);
});

test.each([0, 2, 3])("in the state %i nothing is sent", (readyState) => {
  const { socket, transport } = open();
  socket.readyState = readyState;
  transport.send("lost");
  expect(socket.sent).toEqual([]);
});

test("a socket with little to send is not polled", () => {
  const { socket, clock, transport } = open();
  transport.send("small");
  expect(socket.sent).toEqual(["small"]);
  expect(clock.waiting).toBe(0);
});

test("a socket with much to send is polled by one timer until it has drained, then ondrain is called", () => {
  const { socket, clock, transport, received } = open();
  socket.bufferedAmount = HIGH;
  transport.send("a");
  transport.send("b");
  expect(transport.bufferedAmount).toBe(HIGH);
  expect(clock.waiting).toBe(1);
  clock.advance(1000);
  expect(received).toEqual([]);
  socket.bufferedAmount = 10;
  clock.advance(20);
  expect(received).toEqual(["drain"]);
  clock.advance(1000);
  expect([received.length, clock.waiting]).toEqual([1, 0]);
});

test("a closed socket is no longer polled", () => {
  const { socket, clock, transport, received } = open();
  socket.bufferedAmount = HIGH;
  transport.send("a");
  socket.emit("close", { code: 1001, reason: "gone" });
  expect(clock.waiting).toBe(0);
  expect(received).toEqual([{ code: 1001, reason: "gone" }]);
});

test("a closing socket is no longer polled and does not drain", () => {
  const { socket, clock, transport, received } = open();
  socket.bufferedAmount = HIGH;
  transport.send("a");
  socket.readyState = 2;
  socket.bufferedAmount = 0;
  clock.advance(1000);
  expect([received, clock.waiting]).toEqual([[], 0]);
});

test("a code that a page may use is sent unchanged, any other as 1000, with the reason", () => {
  const { socket, transport } = open();
  transport.close(4001, "mine");
  transport.close(1008, "limit");
  transport.close();
  expect(socket.closes).toEqual([
    [4001, "mine"],
    [1000, "limit"],
    [1000, ""],
  ]);
});
