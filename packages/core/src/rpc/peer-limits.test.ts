import { expect, test } from "vitest";
import { RawEnd, settled } from "../testing/raw-end.ts";
import { createMemoryTransportPair } from "./memory-transport.ts";
import { Peer, type PeerOptions } from "./peer.ts";

function open(options: PeerOptions = {}) {
  const [left, right] = createMemoryTransportPair();
  const peer = new Peer(left, options);
  let begun = 0;
  peer.handle("hang", () => {
    begun += 1;
    return new Promise(() => {});
  });
  peer.handle("ping", () => "pong");
  return { peer, left, right, other: new RawEnd(right), begun: () => begun };
}

test("as many calls as are allowed may be in flight, one more closes with 1008", async () => {
  const { other, begun } = open({ maxRunning: 3 });
  for (let id = 0; id < 3; id += 1) other.request(id, "hang");
  other.request("alive", "ping");
  expect((await other.take()).map(({ id }) => id)).toEqual(["alive"]);
  other.request(3, "hang");
  other.request(4, "hang");
  await settled();
  expect(other.closeReason).toEqual({ code: 1008, reason: "More than 3 requests in flight" });
  expect(begun()).toBe(4);
});

test("256 calls in flight are allowed when nothing is said", async () => {
  const { other } = open();
  for (let id = 0; id < 256; id += 1) other.request(id, "hang");
  await settled();
  expect(other.closeReason).toBe(undefined);
  other.request(256, "hang");
  await settled();
  expect(other.closeReason?.code).toBe(1008);
});

test("calls that are answered at once count for nothing", async () => {
  const { other } = open({ maxRunning: 1 });
  for (let id = 0; id < 1000; id += 1) other.request(id, "ping");
  expect((await other.take()).length).toBe(1000);
});

test("calls in flight that are too large together close with 1008", async () => {
  const { other } = open({ maxRunningSize: 10_000 });
  const half = { text: "x".repeat(4900) };
  other.request(1, "hang", half);
  other.request(2, "hang", half);
  await settled();
  expect(other.closeReason).toBe(undefined);
  other.request(3, "hang", half);
  await settled();
  expect(other.closeReason).toEqual({
    code: 1008,
    reason: "The requests in flight are too large together",
  });
});

test("what an answered call held is given back", async () => {
  const { peer, other } = open({ maxRunning: 1, maxRunningSize: 10_000 });
  peer.handle("soon", async () => 1);
  for (let id = 0; id < 20; id += 1) {
    other.request(id, "soon", { text: "x".repeat(9000) });
    expect((await other.take()).length).toBe(1);
  }
  expect(other.closeReason).toBe(undefined);
});

test("an end that reads nothing is closed with 1008 when too much waits for it", async () => {
  const { peer, right, other } = open({ maxBuffered: 1000 });
  right.pauseReading(true);
  const pending = peer.request("question");
  peer.notify("n", { text: "x".repeat(2000) });
  expect(peer.pendingCount).toBe(1);
  peer.notify("one more");
  await expect(pending).rejects.toMatchObject({ code: "closed" });
  right.pauseReading(false);
  const methods = (await other.take()).map(({ method }) => method);
  expect(methods).toEqual(["question", "n"]);
  expect(other.closeReason?.code).toBe(1008);
  expect(other.closeReason?.reason).toMatch(/^\d+ bytes wait to be read, 1000 may$/);
});

const MEGABYTE = 1 << 20;

function state(key: string, n: number): [string, string] {
  return [key, JSON.stringify({ jsonrpc: "2.0", method: key, params: { n } })];
}

test("states flow at once while the other end reads", async () => {
  const { peer, other } = open();
  for (let n = 0; n < 5; n += 1) peer.sendState(...state("s", n));
  expect((await other.take()).map(({ params }) => params)).toEqual(
    [0, 1, 2, 3, 4].map((n) => ({ n })),
  );
});

test("while the other end is slow only the newest state of each kind is kept", async () => {
  const { peer, right, other, left } = open();
  right.pauseReading(true);
  peer.notify("big", { text: "x".repeat(MEGABYTE) });
  const before = left.bufferedAmount;
  for (let n = 0; n < 1000; n += 1) {
    peer.sendState(...state("a", n));
    peer.sendState(...state("b", n));
  }
  expect(left.bufferedAmount).toBe(before);
  right.pauseReading(false);
  const [, ...states] = await other.take();
  expect(states.map(({ method, params }) => [method, params])).toEqual([
    ["a", { n: 999 }],
    ["b", { n: 999 }],
  ]);
});

test("a state that is held stays the newest: a later one waits behind it", async () => {
  const { peer, right, other } = open();
  right.pauseReading(true);
  peer.notify("big", { text: "x".repeat(MEGABYTE) });
  peer.sendState(...state("a", 1));
  right.pauseReading(false);
  await Promise.resolve();
  peer.sendState(...state("a", 2));
  const [, ...states] = await other.take();
  expect(states.at(-1)?.params).toEqual({ n: 2 });
});

test("held states are dropped when the connection closes", async () => {
  const { peer, right, other } = open();
  right.pauseReading(true);
  peer.notify("big", { text: "x".repeat(MEGABYTE) });
  peer.sendState(...state("a", 1));
  peer.close();
  right.pauseReading(false);
  expect((await other.take()).map(({ method }) => method)).toEqual(["big"]);
});
