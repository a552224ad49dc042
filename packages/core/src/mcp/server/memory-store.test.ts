import { expect, test } from "vitest";
import { memoryStore } from "./memory-store.ts";

function open() {
  let nowMs = 1000;
  const store = memoryStore({ now: () => nowMs });
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { ...store, pass };
}

test("a record is kept for its time, which each change renews, or until it is deleted", async () => {
  const { sessions, pass } = open();
  expect(await sessions.get("a")).toBe(undefined);
  await sessions.set("a", { principal: "ann" }, 100);
  await sessions.set("b", { principal: "bob" });
  pass(99);
  expect(await sessions.get("a")).toEqual({ principal: "ann" });
  await sessions.set("a", {}, 100);
  pass(99);
  expect(await sessions.get("a")).toEqual({});
  pass(1);
  expect(await sessions.get("a")).toBe(undefined);
  expect([
    await sessions.delete("a"),
    await sessions.delete("b"),
    await sessions.delete("b"),
  ]).toEqual([false, true, false]);
});

test("what was stored changes for nobody who holds it", async () => {
  const { sessions } = open();
  const record = { principal: "ann" };
  await sessions.set("__proto__", record);
  record.principal = "bob";
  const first = await sessions.get("__proto__");
  expect(first).toEqual({ principal: "ann" });
  expect(await sessions.get("__proto__")).not.toBe(first);
});

test("the frames of a stream are numbered, and told from any number on", async () => {
  const { events } = open();
  expect(await events.after("s", 0)).toBe(undefined);
  for (const [index, frame] of ["a", "b", "c"].entries()) {
    expect(await events.append("s", frame, 100)).toBe(index + 1);
  }
  expect(await events.append("t", "x", 100)).toBe(1);
  const frames = async (number: number) =>
    (await events.after("s", number))?.map(({ frame }) => frame);
  expect(await frames(0)).toEqual(["a", "b", "c"]);
  expect(await frames(2)).toEqual(["c"]);
  expect(await frames(3)).toEqual([]);
  expect(await frames(4)).toBe(undefined);
  await events.delete("s");
  expect(await frames(0)).toBe(undefined);
});

test("of a long stream the last frames are kept, and a gap is told as one", async () => {
  const { events, pass } = open();
  for (let n = 0; n < 300; n += 1) await events.append("s", "x", 100);
  expect(await events.after("s", 43)).toBe(undefined);
  expect((await events.after("s", 44))?.length).toBe(256);
  pass(100);
  expect(await events.after("s", 300)).toBe(undefined);
});

test("a lease ends unless it is renewed", async () => {
  const { tasks, pass } = open();
  expect(await tasks.isLeased("t")).toBe(false);
  await tasks.lease("t", 100);
  pass(99);
  await tasks.lease("t", 100);
  pass(99);
  expect(await tasks.isLeased("t")).toBe(true);
  pass(1);
  expect(await tasks.isLeased("t")).toBe(false);
});

test("a message reaches those that listen to its topic, until they stop", async () => {
  const { bus } = open();
  const heard: string[] = [];
  const stop = await bus.subscribe("a", (message) => heard.push(`1 ${message}`));
  await bus.subscribe("a", (message) => heard.push(`2 ${message}`));
  await bus.subscribe("b", (message) => heard.push(`b ${message}`));
  await bus.publish("a", "x");
  await stop();
  await bus.publish("a", "y");
  await bus.publish("nobody", "z");
  expect(heard).toEqual(["1 x", "2 x", "2 y"]);
});
