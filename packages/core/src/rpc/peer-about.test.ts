import { expect, test } from "vitest";
import { type Deferred, deferred } from "../testing/deferred.ts";
import { settled } from "../testing/raw-end.ts";
import { manualClock } from "./manual-clock.ts";
import type { RequestId } from "./message.ts";
import { Peer } from "./peer.ts";
import { createRequestLifecycle } from "./request-lifecycle.ts";
import { StateOutbox } from "./state-outbox.ts";
import type { Transport } from "./transport.ts";

interface Sent {
  readonly message: Readonly<Record<string, unknown>>;
  readonly about: RequestId | undefined;
}

const lifecycle = createRequestLifecycle({ cancelled: "cancel", progress: "progress" });

/** A transport that records each sent frame together with the call it belongs to. */
function keeping(over: Partial<Transport> = {}) {
  const sent: Sent[] = [];
  const transport: Transport = {
    onframe: undefined,
    onclose: undefined,
    ondrain: undefined,
    bufferedAmount: 0,
    send: (frame, about) => void sent.push({ message: JSON.parse(frame) as never, about }),
    close: () => undefined,
    ...over,
  };
  const receive = (message: unknown) => transport.onframe?.(JSON.stringify(message));
  return { transport, sent, receive };
}

test("progress, notifications and the answer of a call name it, each of two at once its own", async () => {
  const { transport, sent, receive } = keeping();
  const peer = new Peer(transport, { lifecycle });
  const gates = new Map<unknown, Deferred<string>>([
    ["a", deferred<string>()],
    [7, deferred<string>()],
  ]);
  peer.handle("work", async (call) => {
    call.progress({ progress: 1 });
    call.notify("note");
    return gates.get(call.id)?.promise;
  });
  for (const id of ["a", 7]) {
    receive({ jsonrpc: "2.0", id, method: "work", params: { _meta: { progressToken: id } } });
  }
  gates.get(7)?.resolve("done");
  gates.get("a")?.resolve("done");
  await settled();
  const about = (id: RequestId) => sent.filter((each) => each.about === id);
  for (const id of ["a", 7]) {
    const progress = { method: "progress", params: { progressToken: id } };
    expect(about(id).map(({ message }) => message)).toMatchObject([
      progress,
      { method: "note" },
      { id, result: "done" },
    ]);
  }
  expect(sent.length).toBe(6);
});

test("a question for a call names it, and so does its cancellation", async () => {
  const { transport, sent } = keeping();
  const clock = manualClock();
  const peer = new Peer(transport, { lifecycle, clock });
  const abort = new AbortController();
  const asked = peer.request("ask", undefined, { about: 3, signal: abort.signal });
  const late = peer.request("ask", undefined, { about: 4, timeoutMs: 10 });
  abort.abort();
  await expect(asked).rejects.toMatchObject({ code: "cancelled" });
  clock.advance(1000);
  await expect(late).rejects.toMatchObject({ code: "timeout" });
  const lines = sent.map(({ message, about }) => [message["method"], about]);
  expect(lines).toEqual([
    ["ask", 3],
    ["ask", 4],
    ["cancel", 3],
    ["cancel", 4],
  ]);
});

test("a question without a channel to the other end rejects at once, and nothing is sent", async () => {
  const { transport, sent } = keeping({ reaches: (about) => about === 1 });
  const peer = new Peer(transport);
  await expect(peer.request("ask")).rejects.toMatchObject({ code: "unreachable" });
  await expect(peer.request("ask", {}, { about: 2 })).rejects.toMatchObject({
    code: "unreachable",
    message: expect.stringContaining("ask"),
  });
  expect(sent).toEqual([]);
  void peer.request("ask", undefined, { about: 1 });
  expect(sent.map(({ about }) => about)).toEqual([1]);
});

test("requests are numbered from the number in the options", () => {
  const { transport, sent } = keeping();
  const peer = new Peer(transport, { firstId: 2 ** 40 });
  void peer.request("a");
  void peer.request("b");
  expect(sent.map(({ message }) => message["id"])).toEqual([2 ** 40, 2 ** 40 + 1]);
});

test("a state that waits for a slow reader still names its call when it leaves", () => {
  let bufferedAmount = 1 << 30;
  const { transport, sent } = keeping();
  Object.defineProperty(transport, "bufferedAmount", { get: () => bufferedAmount });
  const outbox = new StateOutbox(transport);
  outbox.send("key", '{"v":1}', 5);
  outbox.send("key", '{"v":2}', 5);
  expect(sent).toEqual([]);
  bufferedAmount = 0;
  transport.ondrain?.();
  expect(sent).toEqual([{ message: { v: 2 }, about: 5 }]);
});
