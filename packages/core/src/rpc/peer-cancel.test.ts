import { expect, test } from "vitest";
import { IdewireError } from "../errors.ts";
import { deferred } from "../testing/deferred.ts";
import { peerFixture } from "../testing/peer-fixture.ts";
import { settled } from "../testing/raw-end.ts";
import type { Call } from "./call.ts";
import { createRequestLifecycle } from "./request-lifecycle.ts";

const lifecycle = createRequestLifecycle({ cancelled: "cancelled", progress: "progress" });

function open() {
  const fixture = peerFixture({ lifecycle });
  const calls: Call[] = [];
  const work = deferred<unknown>();
  fixture.peer.handle("work", (call) => {
    calls.push(call);
    return work.promise;
  });
  return { ...fixture, calls, work };
}

test("a cancelled call sees its signal aborted, and is not answered", async () => {
  const { other, calls, work, errors } = open();
  other.request(1, "work");
  await settled();
  const [call] = calls;
  expect(call?.signal.aborted).toBe(false);
  other.notify("cancelled", { requestId: 1, reason: "changed my mind" });
  await settled();
  expect(call?.signal.aborted).toBe(true);
  expect(call?.signal.reason).toMatchObject({ name: "IdewireError", code: "cancelled" });
  work.resolve("too late");
  expect(await other.take()).toEqual([]);
  expect(errors).toEqual([]);
});

test("a signal that is first used after the cancellation is aborted", async () => {
  const { other, calls } = open();
  other.request("a", "work");
  other.notify("cancelled", { requestId: "a" });
  await settled();
  expect(calls[0]?.aborted).toBe(true);
  expect(calls[0]?.signal.aborted).toBe(true);
});

test.each([
  ["an id that is not in flight", { requestId: 99 }],
  ["the same id with another type", { requestId: "1" }],
  ["no id", {}],
  ["an invalid id", { requestId: { id: 1 } }],
  ["a prototype key", { requestId: "__proto__" }],
])("cancelling %s changes nothing", async (_, params) => {
  const { other, calls, work } = open();
  other.request(1, "work");
  other.notify("cancelled", params);
  await settled();
  expect(calls[0]?.aborted).toBe(false);
  work.resolve("done");
  expect(await other.take()).toEqual([{ jsonrpc: "2.0", id: 1, result: "done" }]);
});

test("a failure of a cancelled call is not reported", async () => {
  const { other, work, errors } = open();
  other.request(1, "work");
  other.notify("cancelled", { requestId: 1 });
  await settled();
  work.reject(new Error("aborted"));
  expect(await other.take()).toEqual([]);
  expect(errors).toEqual([]);
});

test("a cancelled id can be reused once its call has ended", async () => {
  const { other, work } = open();
  other.request(1, "work");
  other.notify("cancelled", { requestId: 1 });
  await settled();
  work.resolve(1);
  await settled();
  other.request(1, "ping");
  expect(await other.take()).toEqual([{ jsonrpc: "2.0", id: 1, result: "pong" }]);
});

test("when this end closes, running calls are aborted and not answered", async () => {
  const { peer, other, calls, work } = open();
  other.request(1, "work");
  await settled();
  const { signal } = calls[0] as Call;
  peer.close();
  expect(signal.aborted).toBe(true);
  expect(signal.reason).toMatchObject({ code: "closed" });
  work.resolve("late");
  expect(await other.take()).toEqual([]);
});

test("when the other end closes, running calls are aborted", async () => {
  const { other, calls } = open();
  other.request(1, "work");
  await settled();
  other.transport.close();
  await settled();
  expect(calls[0]?.signal.reason).toBeInstanceOf(IdewireError);
});

test("a call whose handler closes the connection is aborted too", async () => {
  const { peer, other } = open();
  const aborted = deferred<unknown>();
  peer.handle("leave", (call) => {
    peer.close();
    return new Promise(() => {
      const { signal } = call;
      if (signal.aborted) aborted.resolve(signal.reason);
      signal.addEventListener("abort", () => aborted.resolve(signal.reason));
    });
  });
  other.request(1, "leave");
  expect(await aborted.promise).toMatchObject({ code: "closed" });
});

test("calls that arrive after the close are not handled", async () => {
  const { peer, other, calls } = open();
  peer.handle("leave", () => peer.close());
  other.request(1, "leave");
  other.request(2, "work");
  expect(await other.take()).toEqual([]);
  expect(calls).toEqual([]);
});

test("progress is sent to a caller with a token, with the same token of the same type", async () => {
  const { peer, other } = open();
  peer.handle("steps", (call) => {
    call.progress({ progress: 1, total: 2, message: "half" });
    call.progress({ progress: 2 });
    return "done";
  });
  for (const progressToken of [7, "seven", 0, ""]) {
    other.request("r", "steps", { _meta: { progressToken } });
    expect(await other.take()).toEqual([
      {
        jsonrpc: "2.0",
        method: "progress",
        params: { progressToken, progress: 1, total: 2, message: "half" },
      },
      { jsonrpc: "2.0", method: "progress", params: { progressToken, progress: 2 } },
      { jsonrpc: "2.0", id: "r", result: "done" },
    ]);
  }
});

const deepToken = `${"[".repeat(190)}${"]".repeat(190)}`;

test.each([
  "{}",
  '{"_meta":null}',
  '{"_meta":"token"}',
  '{"_meta":{}}',
  '{"_meta":{"progressToken":null}}',
  '{"_meta":{"progressToken":{}}}',
  '{"_meta":{"progressToken":true}}',
  `{"_meta":{"progressToken":${deepToken}}}`,
])("without a valid token no progress is sent: %.60s", async (params) => {
  const { peer, other, errors } = open();
  peer.handle("steps", (call) => {
    call.progress({ progress: 1 });
    return "done";
  });
  other.send(`{"jsonrpc":"2.0","id":1,"method":"steps","params":${params}}`);
  expect(await other.take()).toEqual([{ jsonrpc: "2.0", id: 1, result: "done" }]);
  expect(errors).toEqual([]);
});

test("a cancelled call sends no more progress", async () => {
  const { other, calls } = open();
  other.request(1, "work", { _meta: { progressToken: 1 } });
  other.notify("cancelled", { requestId: 1 });
  await settled();
  calls[0]?.progress({ progress: 1 });
  expect(await other.take()).toEqual([]);
});

test("a peer without a lifecycle neither cancels nor reports progress", async () => {
  const { peer, other } = peerFixture();
  const controller = new AbortController();
  const request = peer.request("m", undefined, { signal: controller.signal });
  controller.abort();
  await expect(request).rejects.toMatchObject({ code: "cancelled" });
  expect((await other.take()).map(({ method }) => method)).toEqual(["m"]);
});

test("the handler of a cancellation is called before the call is aborted", async () => {
  const { peer, other } = open();
  const received: string[] = [];
  peer.handle("wait", ({ signal }) => {
    signal.addEventListener("abort", () => received.push("aborted"));
    return new Promise(() => {});
  });
  peer.handle("cancelled", () => received.push("cancelled"));
  other.send({ jsonrpc: "2.0", id: 1, method: "wait" });
  other.send({ jsonrpc: "2.0", method: "cancelled", params: { requestId: 1 } });
  await settled();
  expect(received).toEqual(["cancelled", "aborted"]);
});
