import { expect, test } from "vitest";
import { RawEnd } from "../testing/raw-end.ts";
import { createMemoryTransportPair } from "./memory-transport.ts";
import { formatNotification } from "./message.ts";
import { StateOutbox } from "./state-outbox.ts";

function open() {
  const [left, right] = createMemoryTransportPair();
  return { outbox: new StateOutbox(left), left, right, other: new RawEnd(right) };
}

const big = formatNotification("big", { text: "x".repeat(1 << 20) });

function state(key: string, n: number): [string, string] {
  return [key, JSON.stringify({ jsonrpc: "2.0", method: key, params: { n } })];
}

test("states are sent immediately while the other end reads", async () => {
  const { outbox, other } = open();
  for (let n = 0; n < 5; n += 1) outbox.send(...state("s", n));
  expect((await other.take()).map(({ params }) => params)).toEqual(
    [0, 1, 2, 3, 4].map((n) => ({ n })),
  );
});

test("while the other end is slow, only the newest state of each key is held", async () => {
  const { outbox, right, other, left } = open();
  right.pauseReading(true);
  left.send(big);
  const before = left.bufferedAmount;
  for (let n = 0; n < 1000; n += 1) {
    outbox.send(...state("a", n));
    outbox.send(...state("b", n));
  }
  expect(left.bufferedAmount).toBe(before);
  right.pauseReading(false);
  const [, ...states] = await other.take();
  expect(states.map(({ method, params }) => [method, params])).toEqual([
    ["a", { n: 999 }],
    ["b", { n: 999 }],
  ]);
});

test("a held state is replaced by later ones, which are never sent before it", async () => {
  const { outbox, left, right, other } = open();
  right.pauseReading(true);
  left.send(big);
  outbox.send(...state("a", 1));
  right.pauseReading(false);
  await Promise.resolve();
  outbox.send(...state("a", 2));
  const [, ...states] = await other.take();
  expect(states.at(-1)?.params).toEqual({ n: 2 });
});

test("held states are dropped when the connection closes", async () => {
  const { outbox, left, right, other } = open();
  right.pauseReading(true);
  left.send(big);
  outbox.send(...state("a", 1));
  left.close();
  right.pauseReading(false);
  expect((await other.take()).map(({ method }) => method)).toEqual(["big"]);
});
