import { expect, test } from "vitest";
import { deferred } from "../testing/deferred.ts";
import { RawEnd, settled } from "../testing/raw-end.ts";
import { openBatch } from "./batch.ts";
import { createMemoryTransportPair } from "./memory-transport.ts";
import { Peer } from "./peer.ts";
import type { PeerOptions } from "./peer-options.ts";
import { createRequestLifecycle } from "./request-lifecycle.ts";

const lifecycle = createRequestLifecycle({ cancelled: "cancel", progress: "progress" });

/** A peer whose transport parses incoming frames, and the answers of the peer. */
function open(options: PeerOptions = {}) {
  const [left, right] = createMemoryTransportPair();
  const peer = new Peer(left, options);
  const other = new RawEnd(right);
  const answers: { readonly to: string; readonly frame: unknown }[] = [];
  const receive = (to: string, message: unknown) => {
    peer.receive(message, 100, (text) => {
      answers.push({ to, frame: text && JSON.parse(text) });
    });
  };
  peer.handle("ping", () => "pong");
  return { peer, other, answers, receive };
}

const ping = (id: unknown) => ({ jsonrpc: "2.0", id, method: "ping" });
const pong = (id: unknown) => ({ jsonrpc: "2.0", id, result: "pong" });
const refused = (id: unknown, code: number) => ({
  jsonrpc: "2.0",
  ...(id !== null && { id }),
  error: { code },
});

test("only the answer goes to the message's sender", async () => {
  const { peer, other, answers, receive } = open();
  const late = deferred<string>();
  peer.handle("wait", (call) => {
    call.notify("note");
    return late.promise;
  });
  receive("a", { jsonrpc: "2.0", id: 1, method: "wait" });
  receive("b", ping(2));
  receive("c", { jsonrpc: "2.0", method: "ping" });
  const nothing = { to: "c", frame: undefined };
  expect(answers).toEqual([{ to: "b", frame: pong(2) }, nothing]);
  late.resolve("pong");
  expect(await other.take()).toEqual([{ jsonrpc: "2.0", method: "note" }]);
  expect(answers.slice(2)).toEqual([{ to: "a", frame: pong(1) }]);
});

test.each([
  ["a number", 5, null, -32_600],
  ["an invalid id", ping({}), null, -32_600],
  ["an unknown method", { ...ping(3), method: "no" }, 3, -32_601],
  ["a batch in a revision without batches", [ping(4)], null, -32_600],
])("%s is refused to its sender", async (_, message, id, code) => {
  const { other, answers, receive } = open();
  receive("a", message);
  expect(answers).toMatchObject([{ to: "a", frame: refused(id, code) }]);
  expect(Object.keys(answers[0]?.frame ?? {}).includes("id")).toBe(id !== null);
  expect(await other.take()).toEqual([]);
});

test("the answer to a batch has no id of its own", async () => {
  const { peer, answers, receive } = open();
  peer.openBatch = openBatch;
  peer.handle("wait", async () => "pong");
  receive("a", [ping(1), { ...ping(2), method: "wait" }, 7]);
  expect(answers).toEqual([]);
  await settled();
  const frame = [pong(1), refused(null, -32_600), pong(2)];
  expect(answers).toMatchObject([{ to: "a", frame }]);
});

test("an id in use is refused, and the first request is answered", async () => {
  const { peer, answers, receive } = open();
  peer.handle("wait", async () => "pong");
  receive("a", { ...ping(1), method: "wait" });
  receive("b", ping(1));
  await settled();
  expect(answers).toMatchObject([
    { to: "b", frame: refused(1, -32_600) },
    { to: "a", frame: pong(1) },
  ]);
});

test("a closed peer answers nothing and accepts nothing", async () => {
  const { peer, answers, receive } = open();
  peer.handle("wait", async () => "pong");
  receive("a", { ...ping(1), method: "wait" });
  peer.close();
  receive("b", ping(2));
  await settled();
  const nothing = ["a", "b"].map((to) => ({ to, frame: undefined }));
  expect(answers).toEqual(nothing);
});

test("a cancelled call is not answered, whatever its handler does, and the rest of its batch is", async () => {
  const { peer, answers, receive } = open({ lifecycle });
  peer.openBatch = openBatch;
  const late = deferred<string>();
  peer.handle("wait", () => late.promise);
  receive("a", { ...ping(1), method: "wait" });
  receive("b", [{ ...ping(2), method: "wait" }, ping(3)]);
  for (const requestId of [1, 2]) {
    peer.receive({ jsonrpc: "2.0", method: "cancel", params: { requestId } }, 10);
  }
  expect(answers).toEqual([
    { to: "a", frame: undefined },
    { to: "b", frame: [pong(3)] },
  ]);
  late.resolve("late");
  await settled();
  expect(answers.length).toBe(2);
});
