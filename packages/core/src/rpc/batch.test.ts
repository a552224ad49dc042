import { expect, test } from "vitest";
import { deferred } from "../testing/deferred.ts";
import { peerFixture } from "../testing/peer-fixture.ts";
import { openBatch } from "./batch.ts";
import type { PeerOptions } from "./peer-options.ts";
import { createRequestLifecycle } from "./request-lifecycle.ts";

function open(options: PeerOptions = {}) {
  const fixture = peerFixture(options);
  fixture.peer.openBatch = openBatch;
  return { ...fixture, take: async () => (await fixture.other.take()) as unknown[] };
}

const ping = (id: unknown) => ({ jsonrpc: "2.0", id, method: "ping" });
const pong = (id: unknown) => ({ jsonrpc: "2.0", id, result: "pong" });
const refused = (id: unknown, code: number) => ({
  jsonrpc: "2.0",
  id,
  error: { code, message: expect.any(String) },
});

test("the answers of a batch are sent as one array, even of a batch of one", async () => {
  const { other, take } = open();
  other.send([ping(1), ping("two")]);
  other.send([ping(3)]);
  expect(await take()).toEqual([[pong(1), pong("two")], [pong(3)]]);
});

test("a batch of notifications and responses is not answered", async () => {
  const { other, take } = open();
  other.send([{ jsonrpc: "2.0", method: "ping" }, pong(99)]);
  expect(await take()).toEqual([]);
});

test("an empty batch is refused", async () => {
  const { other, take } = open();
  other.send([]);
  expect(await take()).toEqual([refused(null, -32_600)]);
});

test("each invalid message in a batch is answered by an error beside the results of the others", async () => {
  const { other, take } = open();
  other.send([1, ping(1), [], { jsonrpc: "2.0", id: 2, method: "nope" }, { id: 3 }]);
  expect(await take()).toEqual([
    [
      refused(null, -32_600),
      pong(1),
      refused(null, -32_600),
      refused(2, -32_601),
      refused(3, -32_600),
    ],
  ]);
});

test("a batch waits for its slowest call, without delaying anything else", async () => {
  const { peer, other, take } = open();
  const slow = deferred<string>();
  peer.handle("slow", () => slow.promise);
  other.send([{ jsonrpc: "2.0", id: "s", method: "slow" }, ping(1)]);
  other.send(ping(2));
  expect(await take()).toEqual([pong(2)]);
  slow.resolve("at last");
  expect(await take()).toEqual([[pong(1), { jsonrpc: "2.0", id: "s", result: "at last" }]]);
});

test("a cancelled call in a batch has no answer", async () => {
  const lifecycle = createRequestLifecycle({ cancelled: "cancel", progress: "progress" });
  const { peer, other, take } = open({ lifecycle });
  peer.handle(
    "slow",
    (call) =>
      new Promise((resolve) => {
        call.signal.addEventListener("abort", () => resolve("too late"));
      }),
  );
  other.send([{ jsonrpc: "2.0", id: "s", method: "slow" }, ping(1)]);
  other.notify("cancel", { requestId: "s" });
  expect(await take()).toEqual([[pong(1)]]);
});

test("answers to our own requests may come in a batch", async () => {
  const { peer, other } = open();
  const answers = Promise.all([peer.request("a"), peer.request("b")]);
  await other.take();
  other.send([
    { jsonrpc: "2.0", id: 1_000_001, result: "B" },
    { jsonrpc: "2.0", id: 1_000_000, result: "A" },
  ]);
  expect(await answers).toEqual(["A", "B"]);
});

test("a batch with more messages than may be in flight is refused as a whole", async () => {
  const { other, take } = open({ maxRunning: 4 });
  other.send([1, 2, 3, 4, 5]);
  other.send([ping(1), ping(2), ping(3), ping(4)]);
  expect(await take()).toEqual([refused(null, -32_600), [pong(1), pong(2), pong(3), pong(4)]]);
});

test("a frame of millions of values gets one short answer", async () => {
  const { other } = open();
  other.send(`[${"1,".repeat(4e6)}1]`);
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(other.frames.length).toBe(1);
  expect((other.frames[0] ?? "").length < 200).toBe(true);
});
