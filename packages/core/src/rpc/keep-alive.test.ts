import { expect, test } from "vitest";
import { peerFixture } from "../testing/peer-fixture.ts";
import { settled } from "../testing/raw-end.ts";
import { keepAlive } from "./keep-alive.ts";

function open() {
  const fixture = peerFixture();
  const { peer, clock } = fixture;
  return { ...fixture, stop: keepAlive(peer, { intervalMs: 5000, timeoutMs: 3000, clock }) };
}

test("a ping is sent at each interval, and any answer keeps the connection", async () => {
  const { clock, other } = open();
  clock.advance(4999);
  expect(await other.take()).toEqual([]);
  for (let id = 1_000_000; id < 1_000_004; id += 1) {
    clock.advance(id === 1_000_000 ? 1 : 5000);
    expect(await other.take()).toEqual([{ jsonrpc: "2.0", id, method: "ping" }]);
    if (id % 2 === 0) other.answer(id, {});
    else other.send({ jsonrpc: "2.0", id, error: { code: -32_601, message: "no" } });
    await settled();
  }
  expect(other.closeReason).toBe(undefined);
});

test("without an answer in time the connection is closed with 1001", async () => {
  const { clock, other } = open();
  clock.advance(7999);
  await settled();
  expect(other.closeReason).toBe(undefined);
  clock.advance(200);
  await settled();
  expect(other.closeReason).toEqual({ code: 1001, reason: "No answer to ping in 3000 ms" });
  expect(clock.waiting).toBe(0);
});

test("after stop no ping is sent, and a pending one does not close the connection", async () => {
  const { clock, other, stop } = open();
  clock.advance(5000);
  stop();
  stop();
  clock.advance(60_000);
  await settled();
  expect((await other.take()).map(({ method }) => method)).toEqual(["ping"]);
  expect(other.closeReason).toBe(undefined);
  expect(clock.waiting).toBe(0);
});

test("it stops with the connection", async () => {
  const { clock, other } = open();
  clock.advance(5000);
  other.transport.close();
  await settled();
  expect(clock.waiting).toBe(0);
});
