import { expect, test } from "vitest";
import { manualClock } from "../testing/manual-clock.ts";
import { RawEnd, settled } from "../testing/raw-end.ts";
import { keepAlive } from "./keep-alive.ts";
import { createMemoryTransportPair } from "./memory-transport.ts";
import { Peer } from "./peer.ts";

function stage() {
  const clock = manualClock();
  const [left, right] = createMemoryTransportPair();
  const peer = new Peer(left, { clock });
  const wire = new RawEnd(right);
  const stop = keepAlive(peer, { intervalMs: 5_000, timeoutMs: 3_000, clock });
  return { clock, peer, wire, stop };
}

/** Longer than the deadline, by the steps in which deadlines are counted. */
const PAST_DEADLINE_MS = 3_200;

test("a ping leaves every five seconds, without params", async () => {
  const { clock, wire } = stage();
  clock.advance(4_999);
  expect(await wire.take()).toEqual([]);
  for (const id of [1_000_000, 1_000_001]) {
    clock.advance(1);
    expect(await wire.take()).toEqual([{ jsonrpc: "2.0", id, method: "ping" }]);
    wire.answer(id, {});
    await settled();
    clock.advance(4_999);
  }
  expect(wire.closeReason).toBeUndefined();
});

test("no answer in three seconds closes the connection, and nothing is sent after that", async () => {
  const { clock, wire, peer } = stage();
  clock.advance(5_000);
  clock.advance(2_900);
  await settled();
  expect(wire.closeReason).toBeUndefined();
  clock.advance(PAST_DEADLINE_MS - 2_900);
  await settled();
  expect(await peer.closed).toEqual({ code: 1001, reason: "No answer to ping in 3000 ms" });
  expect(clock.waiting).toBe(0);
});

test("an error is an answer, too: whoever sends it is there", async () => {
  const { clock, wire } = stage();
  clock.advance(5_000);
  const [ping] = await wire.take();
  wire.send({ jsonrpc: "2.0", id: ping?.id, error: { code: -32601, message: "no ping here" } });
  await settled();
  clock.advance(PAST_DEADLINE_MS);
  await settled();
  expect(wire.closeReason).toBeUndefined();
});

test("stopped, or on a closed connection, it sends no more and leaves no timer", async () => {
  const stopped = stage();
  stopped.stop();
  stopped.clock.advance(60_000);
  expect(await stopped.wire.take()).toEqual([]);
  const closed = stage();
  closed.peer.close();
  await settled();
  expect(closed.clock.waiting).toBe(0);
});
