import { expect, test } from "vitest";
import { manualClock } from "../../rpc/manual-clock.ts";
import { createMemoryTransportPair } from "../../rpc/memory-transport.ts";
import { settled } from "../../testing/raw-end.ts";
import { Readiness } from "./readiness.ts";

/** An agent that answers pings on demand. */
function open({ withPings = true } = {}) {
  const clock = manualClock();
  const [transport] = createMemoryTransportPair();
  const pings: (() => void)[] = [];
  const ping = (onpong: () => void) => void pings.push(onpong);
  let ready = 0;
  const readiness = new Readiness({
    transport: withPings ? Object.assign(transport, { ping }) : transport,
    clock,
    delayMs: 300,
    onready: () => {
      ready += 1;
    },
  });
  return { clock, pings, readiness, ready: () => ready };
}

test("the delay begins and ends with a prompt answer to a ping", async () => {
  const { clock, pings, readiness, ready } = open();
  readiness.begin();
  await settled();
  clock.advance(1_000);
  pings[0]?.();
  clock.advance(300);
  expect([pings.length, ready()]).toEqual([2, 0]);
  // This answer is late: the agent was suspended again.
  clock.advance(600);
  pings[1]?.();
  clock.advance(300);
  pings[2]?.();
  expect(ready()).toBe(1);
  clock.advance(60_000);
  expect([pings.length, ready()]).toEqual([3, 1]);
});

test("an agent that does not answer is ready after 5 s, and again 300 ms after it answers", async () => {
  const { clock, pings, readiness, ready } = open();
  readiness.begin();
  await settled();
  clock.advance(4_999);
  expect(ready()).toBe(0);
  clock.advance(1);
  expect(ready()).toBe(1);
  clock.advance(60_000);
  expect(ready()).toBe(1);
  pings[0]?.();
  clock.advance(300);
  pings[1]?.();
  expect(ready()).toBe(2);
});

test("on a busy machine without prompt answers the agent is ready eventually", async () => {
  const { clock, pings, readiness, ready } = open();
  readiness.begin();
  await settled();
  for (let count = 0; count < 10; count += 1) {
    clock.advance(200);
    pings[count]?.();
    clock.advance(300);
  }
  expect(ready()).toBe(1);
});

test("after a restart or a stop an older answer has no effect", async () => {
  const { clock, pings, readiness, ready } = open();
  readiness.begin();
  await settled();
  readiness.begin();
  pings[0]?.();
  await settled();
  clock.advance(300);
  expect(pings.length).toBe(2);
  readiness.stop();
  pings[1]?.();
  clock.advance(60_000);
  expect(ready()).toBe(0);
});

test("a burst of list requests shares its pings", async () => {
  const { clock, pings, readiness, ready } = open();
  for (let count = 0; count < 100; count += 1) readiness.begin();
  await settled();
  readiness.begin();
  expect(pings.length).toBe(1);
  pings[0]?.();
  await settled();
  expect(pings.length).toBe(2);
  pings[1]?.();
  clock.advance(300);
  pings[2]?.();
  expect(ready()).toBe(1);
});

test("however many list requests come one after the other, a delay has few pings", async () => {
  const { clock, pings, readiness, ready } = open();
  for (let count = 0; count < 100; count += 1) {
    readiness.begin();
    await settled();
    pings.at(-1)?.();
  }
  expect(pings.length).toBeLessThanOrEqual(8);
  // A second delay starts at the end of the first, as list requests arrived during it.
  for (const _ of [1, 2]) {
    clock.advance(300);
    await settled();
    expect(ready()).toBe(0);
    pings.at(-1)?.();
  }
  expect([pings.length, ready()]).toEqual([10, 1]);
});

test("an agent that never answers is ready 5 s after each list request, however many there were", async () => {
  const { clock, readiness, ready } = open();
  for (let count = 1; count <= 20; count += 1) {
    readiness.begin();
    await settled();
    clock.advance(5_000);
    expect(ready()).toBe(count);
  }
});

test("without pings each list request restarts the delay, a few times within one", () => {
  const { clock, readiness, ready } = open({ withPings: false });
  for (const _ of [1, 2, 3]) {
    readiness.begin();
    clock.advance(299);
  }
  expect(ready()).toBe(0);
  clock.advance(1);
  expect(ready()).toBe(1);
  for (let count = 0; count < 100; count += 1) readiness.begin();
  clock.advance(300);
  expect(ready()).toBe(1);
  clock.advance(300);
  expect(ready()).toBe(2);
});
