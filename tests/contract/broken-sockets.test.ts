import { once } from "node:events";
import type { Socket } from "node:net";
import { createWebSocketTransport } from "@idewire/core/rpc";
import { expect, onTestFinished, test } from "vitest";
import { closing, openSocketPair } from "../src/transport-pairs.ts";

test("a frame that is not UTF-8 closes its socket, and the process goes on", async () => {
  const { accepted, client } = await openSocketPair();
  const closed = closing(createWebSocketTransport(accepted));
  createWebSocketTransport(client);
  // A text frame with the single byte FF, masked with zeros, written past the client's own checks.
  (client as unknown as { _socket: Socket })._socket.write(
    Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0xff]),
  );
  expect([1006, 1007]).toContain((await closed).code);
});

test("a binary frame closes a socket with 1003", async () => {
  const { accepted, client } = await openSocketPair();
  createWebSocketTransport(accepted);
  client.send(Buffer.from([1, 2, 3]));
  const [code] = (await once(client, "close")) as [number];
  expect(code).toBe(1003);
});

test("a reason too long for a close frame is truncated between two characters", async () => {
  const { accepted, client } = await openSocketPair();
  const closed = closing(createWebSocketTransport(client));
  createWebSocketTransport(accepted).close(1008, `${"x".repeat(121)}ü and more`);
  expect(await closed).toEqual({ code: 1008, reason: `${"x".repeat(121)}ü` });
});

test("a code that the socket refuses becomes a normal close", async () => {
  const { accepted, client } = await openSocketPair();
  onTestFinished(() => client.terminate());
  const closed = closing(createWebSocketTransport(client));
  createWebSocketTransport(accepted).close(1006, "not allowed on the wire");
  expect(await closed).toEqual({ code: 1000, reason: "not allowed on the wire" });
});
