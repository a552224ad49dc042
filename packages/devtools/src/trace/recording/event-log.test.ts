import { expect, test } from "vitest";
import { explainFrame } from "../explain/explain.ts";
import { FrameIndex, isOpenRequest } from "../rows/frame-index.ts";
import { EventLog } from "./event-log.ts";

const frame = (raw: string, dir: "agent>ide" | "ide>agent" = "agent>ide") =>
  ({ ev: "frame", ch: "c1", dir, raw }) as const;

test("events are numbered from 1, timed from the beginning, and keep their cause", () => {
  let now = 500;
  const log = new EventLog({ now: () => now });
  const action = log.append({ ev: "action", who: "person", text: "selects line 3" });
  now = 512.5;
  const sent = log.append(frame("{}"), action.n);
  expect([action.n, action.t, sent.n, sent.t, sent.by]).toEqual([1, 0, 2, 12.5, 1]);
  expect(log.at(2)).toBe(sent);
  expect([log.at(0), log.at(3)]).toEqual([undefined, undefined]);
});

test("the oldest events are dropped when there are too many, and the numbers stay", () => {
  const log = new EventLog({ maxEvents: 16 });
  const firsts: number[] = [];
  log.on("drop", (first) => firsts.push(first));
  for (let count = 0; count < 17; count += 1) log.append(frame(`${count}`));
  expect(firsts).toEqual([4]);
  expect([log.dropped, log.last, log.events.length]).toEqual([3, 17, 14]);
  expect(log.droppedListed).toBe(3);
  expect(log.at(3)).toBeUndefined();
  expect(log.at(4)).toMatchObject({ n: 4, raw: "3" });
});

test("long frames count by their length", () => {
  const log = new EventLog({ maxUnits: 1000 });
  for (let count = 0; count < 50; count += 1) log.append(frame("x".repeat(100)));
  const kept = log.events.reduce((sum, event) => sum + (event.ev === "frame" ? 100 : 0), 0);
  expect(kept).toBeLessThanOrEqual(1000);
  expect(log.last).toBe(50);
  log.append(frame("y".repeat(5000)));
  expect(log.events).toHaveLength(1);
});

test("an answer is paired with its request, and takes over method and tool", () => {
  let now = 0;
  const log = new EventLog({ now: () => now });
  const index = new FrameIndex();
  log.on("append", (event) => index.add(event));
  log.append(frame('{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"openDiff"}}'));
  now = 1250;
  // The same id in the other direction belongs to a different request.
  log.append(frame('{"jsonrpc":"2.0","id":7,"method":"ping"}', "ide>agent"));
  log.append(frame('{"jsonrpc":"2.0","id":7,"result":{"isError":true}}', "ide>agent"));
  expect(index.of(1)).toMatchObject({ kind: "request", pair: 3, durationMs: 1250 });
  expect(index.of(3)).toMatchObject({
    ...{ kind: "result", method: "tools/call", tool: "openDiff", pair: 1 },
    ...{ toolError: true, durationMs: 1250 },
  });
  expect(index.of(2)?.pair).toBeUndefined();
  expect(index.frames.filter(isOpenRequest)).toHaveLength(1);
});

test("open requests end with their connection, and a lost answer answers nothing", () => {
  const log = new EventLog();
  const index = new FrameIndex();
  log.on("append", (event) => index.add(event));
  log.append(frame('{"jsonrpc":"2.0","id":"a","method":"ping"}'));
  log.append({ ...frame('{"jsonrpc":"2.0","id":"a","result":{}}', "ide>agent"), lost: true });
  expect(index.frames.filter(isOpenRequest)).toHaveLength(1);
  log.append({ ev: "close", ch: "c1", code: 1006, reason: "" });
  expect(index.frames.filter(isOpenRequest)).toHaveLength(0);
  expect(index.of(1)?.unanswered).toEqual({ why: "closed", by: 3 });
});

test("a request that will never be answered is not open, and the reason is given", () => {
  const log = new EventLog();
  const index = new FrameIndex();
  log.on("append", (event) => index.add(event));
  const ping = (id: number) => frame(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
  for (const id of [1, 1, 2, 3, 4]) log.append(ping(id));
  const cancel = (id: number) =>
    frame(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`);
  log.append(cancel(2));
  log.append(cancel(3));
  // An answer that was in transit when its request was cancelled.
  log.append(frame('{"jsonrpc":"2.0","id":3,"result":{}}', "ide>agent"));
  log.append({ ev: "close", ch: "other", code: 1000, reason: "" });
  expect(index.frames.filter(isOpenRequest).map(({ n }) => n)).toEqual([2, 5]);
  log.append({ ev: "close", ch: "c1", code: 1006, reason: "" });
  expect(index.frames.filter(isOpenRequest)).toEqual([]);
  const whys = [1, 2, 3, 4, 5].map((n) => index.of(n)?.unanswered?.why);
  expect(whys).toEqual(["id-reused", "closed", "cancelled", undefined, "closed"]);
  const facts = index.of(2);
  expect(facts && explainFrame(facts, '{"id":1,"method":"ping"}').sentence).toBe(
    "Checks that the other end is alive. It was never answered: the connection closed.",
  );
});

test.each([
  ["not json", { kind: "malformed" }],
  ["[]", { kind: "batch" }],
  ["null", { kind: "malformed" }],
  ['"text"', { kind: "malformed" }],
  ["{}", { kind: "malformed" }],
  ['{"id":{},"method":"a"}', { kind: "request", method: "a" }],
  ['{"method":"a"}', { kind: "notification", method: "a" }],
  ['{"id":null,"error":{"code":-32700}}', { kind: "error", id: null, errorCode: -32700 }],
  ['{"id":1,"error":5}', { kind: "error", id: 1 }],
  ['{"id":1,"method":"tools/call","params":{"name":{}}}', { kind: "request", id: 1 }],
])("%s is read without harm", (raw, expected) => {
  const index = new FrameIndex();
  index.add({ n: 1, t: 0, ...frame(raw) });
  expect(index.of(1)).toMatchObject(expected);
});
