import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { IdewireError, RpcError } from "../errors.ts";
import { peerFixture } from "../testing/peer-fixture.ts";
import { settled } from "../testing/raw-end.ts";
import type { Progress } from "./call.ts";
import { createMemoryTransportPair } from "./memory-transport.ts";
import { Peer } from "./peer.ts";
import { createRequestLifecycle } from "./request-lifecycle.ts";
import type { RequestOptions } from "./request-options.ts";

const lifecycle = createRequestLifecycle({ cancelled: "cancelled", progress: "progress" });

function open() {
  const fixture = peerFixture({ lifecycle });
  /** Sends a request; returns an object that receives its outcome. */
  const ask = (options?: RequestOptions) => {
    const outcome: { value?: unknown; error?: unknown } = {};
    fixture.peer.request("m", undefined, options).then(
      (value) => Object.assign(outcome, { value }),
      (error) => Object.assign(outcome, { error }),
    );
    return outcome;
  };
  return { ...fixture, ask };
}

const timeout = expect.objectContaining({ name: "IdewireError", code: "timeout" });

test("our request ids count from 1,000,000, and params are omitted when absent", async () => {
  const { peer, other } = open();
  void peer.request("first");
  void peer.request("second", { a: 1 });
  expect(await other.take()).toEqual([
    { jsonrpc: "2.0", id: 1_000_000, method: "first" },
    { jsonrpc: "2.0", id: 1_000_001, method: "second", params: { a: 1 } },
  ]);
});

test("each answer settles its own request, in any order", async () => {
  const { peer, other } = open();
  const answers = Promise.all([peer.request("a"), peer.request("b"), peer.request("c")]);
  await settled();
  other.answer(1_000_002, "C");
  other.answer(1_000_000, null);
  other.answer(1_000_001, { b: 1 });
  expect(await answers).toEqual([null, { b: 1 }, "C"]);
});

test("an error object rejects with an RpcError that has its code, message and data", async () => {
  const { other, ask } = open();
  const outcome = ask();
  other.send({ jsonrpc: "2.0", id: 1_000_000, error: { code: -32_001, message: "no", data: [1] } });
  await settled();
  expect(outcome.error).toBeInstanceOf(RpcError);
  expect(outcome.error).toMatchObject({ code: -32_001, message: "no", data: [1] });
});

test("error: null beside a result is treated as a result", async () => {
  const { other, ask } = open();
  const outcome = ask();
  other.send({ jsonrpc: "2.0", id: 1_000_000, result: 5, error: null });
  await settled();
  expect(outcome).toEqual({ value: 5 });
});

test.each([
  '{"jsonrpc":"2.0","id":1000000,"error":null}',
  '{"jsonrpc":"2.0","id":1000000,"error":"no"}',
  '{"jsonrpc":"2.0","id":1000000,"error":[]}',
  '{"jsonrpc":"2.0","id":1000000,"error":{}}',
  '{"jsonrpc":"2.0","id":1000000,"error":{"code":"1","message":"m"}}',
])("the answer %s rejects with protocol", async (frame) => {
  const { other, ask } = open();
  const outcome = ask();
  other.send(frame);
  await settled();
  expect(outcome.error).toMatchObject({ name: "IdewireError", code: "protocol" });
});

test.each([[{ toString: 1, valueOf: 1 }], [undefined], [null], [["a", "b"]], [{}]])(
  "an error whose message is %j is still an RpcError",
  async (message) => {
    const { other, ask } = open();
    const outcome = ask();
    other.send({ jsonrpc: "2.0", id: 1_000_000, error: { code: 3, message } });
    await settled();
    expect(outcome.error).toMatchObject({ name: "RpcError", code: 3 });
  },
);

test("a request is settled once; a second answer is dropped", async () => {
  const { other, ask, refused } = open();
  const outcome = ask();
  other.answer(1_000_000, "first");
  await settled();
  expect(refused).toEqual([]);
  other.answer(1_000_000, "second");
  await settled();
  expect(outcome).toEqual({ value: "first" });
  expect(refused).toEqual(["No request waits for this answer"]);
});

test("the id of an answer may be the same number as a string, in no other spelling", async () => {
  const { other, ask } = open();
  const outcome = ask();
  for (const id of ["01000000", "1000000.0", "1e6", " 1000000", "0xf4240", "1000001"]) {
    other.answer(id, id);
  }
  await settled();
  expect(outcome).toEqual({});
  other.answer("1000000", "text");
  await settled();
  expect(outcome).toEqual({ value: "text" });
});

const unreadable = { code: -32_700, message: "what?" };

test("an error with a null id fails the one request that is unanswered, and none of several", async () => {
  const { other, ask } = open();
  const first = ask();
  other.send(JSON.stringify({ jsonrpc: "2.0", id: null, error: unreadable }));
  await settled();
  expect(first).toMatchObject({ error: unreadable });
  const [second, third] = [ask(), ask()];
  other.send(JSON.stringify({ jsonrpc: "2.0", id: null, error: unreadable }));
  await settled();
  expect([second, third]).toEqual([{}, {}]);
});

test("params that cannot be serialised throw synchronously, and nothing is sent", async () => {
  const { peer, other } = open();
  const circular: Record<string, unknown> = {};
  circular["self"] = circular;
  expect(() => peer.request("m", circular)).toThrow(TypeError);
  expect(await other.take()).toEqual([]);
});

test("an aborted request rejects with cancelled, and the other end is notified of its id", async () => {
  const { other, ask } = open();
  const controller = new AbortController();
  const outcome = ask({ signal: controller.signal });
  controller.abort();
  const [, received] = await other.take();
  expect(outcome.error).toMatchObject({ name: "IdewireError", code: "cancelled" });
  expect(received).toMatchObject({ method: "cancelled", params: { requestId: 1_000_000 } });
  // The late answer is ignored.
  other.answer(1_000_000, "late");
  expect(await other.take()).toEqual([]);
});

test("a request whose signal is already aborted is not sent", async () => {
  const { other, ask } = open();
  const controller = new AbortController();
  controller.abort();
  const outcome = ask({ signal: controller.signal });
  expect(await other.take()).toEqual([]);
  expect(outcome.error).toMatchObject({ code: "cancelled" });
});

test("an abort after the answer has no effect", async () => {
  const { other, ask } = open();
  const controller = new AbortController();
  ask({ signal: controller.signal });
  await other.take();
  other.answer(1_000_000, 1);
  await settled();
  controller.abort();
  expect(await other.take()).toEqual([]);
});

test("a settled request leaves no listener on its signal", async () => {
  const { peer, other, clock } = open();
  const { signal } = new AbortController();
  const requests = ["answered", "refused", "late", "closed"].map((method) =>
    peer.request(method, undefined, { signal, timeoutMs: method === "late" ? 10 : 60_000 }),
  );
  const outcomes = Promise.allSettled(requests);
  expect(getEventListeners(signal, "abort").length).toBe(4);
  other.answer(1_000_000, 1);
  other.send({ jsonrpc: "2.0", id: 1_000_001, error: { code: 1, message: "no" } });
  clock.advance(1000);
  await settled();
  expect(getEventListeners(signal, "abort").length).toBe(1);
  peer.close();
  await outcomes;
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("without an answer a request times out, not too early and at most two steps late", async () => {
  const { other, ask, clock } = open();
  const outcome = ask({ timeoutMs: 1000 });
  clock.advance(999);
  await settled();
  expect(outcome).toEqual({});
  clock.advance(128);
  const [, received] = await other.take();
  expect(outcome.error).toEqual(timeout);
  expect(received).toMatchObject({ method: "cancelled", params: { requestId: 1_000_000 } });
});

test.each<[string, number, RequestOptions | undefined]>([
  ["one minute by default", 60_000, undefined],
  ["that of the caller", 2_000, { timeoutMs: 2_000, maxTotalTimeoutMs: 3_000 }],
  ["the total, however long the single one", 500, { timeoutMs: Infinity, maxTotalTimeoutMs: 500 }],
])("the time-out is %s, and named", async (_, timeoutMs, options) => {
  const { ask, clock } = open();
  const outcome = ask(options);
  clock.advance(timeoutMs - 1);
  await settled();
  expect(outcome).toEqual({});
  clock.advance(200);
  await settled();
  expect(outcome.error).toEqual(timeout);
  expect(outcome.error).toHaveProperty("message", `m: no answer in ${timeoutMs} ms`);
});

test("a request that starts within a step has its whole time", async () => {
  const { ask, clock } = open();
  ask({ timeoutMs: 10_000 });
  clock.advance(63);
  const outcome = ask({ timeoutMs: 100 });
  clock.advance(99);
  await settled();
  expect(outcome).toEqual({});
  clock.advance(200);
  await settled();
  expect(outcome.error).toEqual(timeout);
});

test("no timer runs without pending deadlines", async () => {
  const { other, ask, clock } = open();
  expect(clock.waiting).toBe(0);
  ask({ timeoutMs: Infinity });
  expect(clock.waiting).toBe(0);
  ask({ timeoutMs: 1000 });
  expect(clock.waiting).toBe(1);
  await other.take();
  other.answer(1_000_001, 1);
  await settled();
  clock.advance(1000);
  expect(clock.waiting).toBe(0);
});

test("progress is requested beside other _meta members, and reported until the answer", async () => {
  const { peer, other } = open();
  const received: Progress[] = [];
  const onProgress = (progress: Progress) => void received.push(progress);
  const answer = peer.request("m", { a: 1, _meta: { trace: "t" } }, { onProgress });
  const [request] = await other.take();
  expect(request?.params).toEqual({ a: 1, _meta: { trace: "t", progressToken: 1_000_000 } });
  const emit = (params: object) =>
    other.notify("progress", { progressToken: 1_000_000, ...params });
  emit({ progress: 1, total: 3, message: "one" });
  emit({ progress: 2, total: null, message: 7 });
  emit({ progress: "3" });
  other.notify("progress", { progressToken: "1000000", progress: 9 });
  other.notify("progress");
  other.answer(1_000_000, "done");
  emit({ progress: 4 });
  await settled();
  expect(received).toEqual([{ progress: 1, total: 3, message: "one" }, { progress: 2 }]);
  expect(await answer).toBe("done");
});

test("a progress listener that throws is reported, and the request continues", async () => {
  const { other, ask, errors } = open();
  const bug = new Error("bug");
  const outcome = ask({
    onProgress: () => {
      throw bug;
    },
  });
  other.notify("progress", { progressToken: 1_000_000, progress: 1 });
  other.answer(1_000_000, "done");
  await settled();
  expect(errors).toEqual([bug]);
  expect(outcome).toEqual({ value: "done" });
});

async function drip(options: RequestOptions, times: number) {
  const { other, ask, clock } = open();
  const outcome = ask({ timeoutMs: 1000, ...options });
  for (let progress = 1; progress <= times; progress += 1) {
    clock.advance(900);
    other.notify("progress", { progressToken: 1_000_000, progress });
    await settled();
  }
  return outcome;
}

test("progress restarts the time-out if requested", async () => {
  const onProgress = () => {};
  expect(await drip({ onProgress, resetTimeoutOnProgress: true }, 5)).toEqual({});
  expect((await drip({ onProgress }, 2)).error).toEqual(timeout);
});

test("a time-out that progress restarts names progress, too; the total does not", async () => {
  const { ask, clock } = open();
  const options = { timeoutMs: 1000, resetTimeoutOnProgress: true };
  const [each, total] = [ask(options), ask({ ...options, maxTotalTimeoutMs: 500 })];
  clock.advance(1200);
  await settled();
  expect(each.error).toHaveProperty("message", "m: no answer or progress in 1000 ms");
  expect(total.error).toHaveProperty("message", "m: no answer in 500 ms");
});

test("progress is also requested when it only restarts the time-out", async () => {
  expect(await drip({ resetTimeoutOnProgress: true }, 5)).toEqual({});
  const { peer, other } = open();
  void peer.request("m", undefined, { resetTimeoutOnProgress: true });
  expect((await other.take())[0]?.params).toEqual({ _meta: { progressToken: 1_000_000 } });
});

test("the total time-out holds regardless of progress", async () => {
  const options = { onProgress: () => {}, resetTimeoutOnProgress: true, maxTotalTimeoutMs: 2500 };
  expect(await drip(options, 2)).toEqual({});
  expect((await drip(options, 4)).error).toEqual(timeout);
});

test("a close rejects pending requests, and follows the frames already sent", async () => {
  const { peer, other, ask, clock } = open();
  const outcome = ask();
  peer.notify("last words");
  peer.close(4000, "bye");
  expect((await other.take()).map(({ method }) => method)).toEqual(["m", "last words"]);
  expect(other.closeReason).toEqual({ code: 4000, reason: "bye" });
  expect(outcome.error).toMatchObject({ name: "IdewireError", code: "closed" });
  expect(await peer.closed).toEqual({ code: 4000, reason: "bye" });
  expect(clock.waiting).toBe(0);
});

test("when the other end closes, pending requests reject with its code and reason", async () => {
  const { peer, other, ask } = open();
  const outcome = ask();
  other.transport.close(1011, "crashed");
  await settled();
  expect(outcome.error).toEqual(
    new IdewireError("closed", "The connection closed with 1011 crashed"),
  );
  expect(await peer.closed).toEqual({ code: 1011, reason: "crashed" });
});

test("after a close every request rejects with closed, and nothing is sent", async () => {
  const { peer, other } = open();
  peer.close();
  const late = peer.request("late");
  peer.notify("late");
  await expect(late).rejects.toMatchObject({ code: "closed" });
  expect(await other.take()).toEqual([]);
});

test("a handler declares the type of its parameters, and request returns the answer", async () => {
  const [left, right] = createMemoryTransportPair();
  const [adder, caller] = [new Peer(left), new Peer(right)];
  adder.handle<{ a: number; b: number }>("add", ({ params: { a, b } }) => a + b);
  expect(await caller.request("add", { a: 1, b: 2 })).toBe(3);
});

test("a handler that is not a function, and an unknown option, are refused at once by name", () => {
  const { peer } = open();
  const handler = "echo" as unknown as () => unknown;
  expect(() => peer.handle("echo", handler)).toThrow(
    'The handler of echo: expected a function, got "echo"',
  );
  const options = { timeout: 5 } as RequestOptions;
  expect(() => peer.request("m", {}, options)).toThrow('m: unknown option "timeout"');
});
