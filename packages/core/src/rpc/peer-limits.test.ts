import { expect, test } from "vitest";
import { peerFixture } from "../testing/peer-fixture.ts";
import { settled } from "../testing/raw-end.ts";
import type { PeerOptions } from "./peer-options.ts";

function open(options: PeerOptions = {}) {
  const fixture = peerFixture(options);
  let begun = 0;
  fixture.peer.handle("hang", () => {
    begun += 1;
    return new Promise(() => {});
  });
  return { ...fixture, begun: () => begun };
}

test("one call in flight more than allowed closes with 1008", async () => {
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

test("256 calls in flight are allowed by default", async () => {
  const { other } = open();
  for (let id = 0; id < 256; id += 1) other.request(id, "hang");
  await settled();
  expect(other.closeReason).toBe(undefined);
  other.request(256, "hang");
  await settled();
  expect(other.closeReason?.code).toBe(1008);
});

test("calls that are answered synchronously do not count", async () => {
  const { other } = open({ maxRunning: 1 });
  for (let id = 0; id < 1000; id += 1) other.request(id, "ping");
  expect((await other.take()).length).toBe(1000);
});

test("calls in flight that are too large in total close with 1008", async () => {
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
    reason: "Requests in flight are too large in total",
  });
});

test("an answered call no longer counts", async () => {
  const { peer, other } = open({ maxRunning: 1, maxRunningSize: 10_000 });
  peer.handle("soon", async () => 1);
  for (let id = 0; id < 20; id += 1) {
    other.request(id, "soon", { text: "x".repeat(9000) });
    expect((await other.take()).length).toBe(1);
  }
  expect(other.closeReason).toBe(undefined);
});

test("an end that does not read is closed with 1008 when too much is buffered for it", async () => {
  const { peer, right, other } = open({ maxBuffered: 1000 });
  right.pauseReading(true);
  const pending = peer.request("question");
  peer.notify("n", { text: "x".repeat(2000) });
  peer.notify("one more");
  await expect(pending).rejects.toMatchObject({ code: "closed" });
  right.pauseReading(false);
  const methods = (await other.take()).map(({ method }) => method);
  expect(methods).toEqual(["question", "n"]);
  expect(other.closeReason?.code).toBe(1008);
  expect(other.closeReason?.reason).toMatch(/^\d+ bytes unread, the limit is 1000$/);
});
