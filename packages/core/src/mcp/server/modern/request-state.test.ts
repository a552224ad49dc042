import { expect, test } from "vitest";
import { RequestStateSeal } from "./request-state.ts";

const keyOf = (fill: number) => new Uint8Array(32).fill(fill);
const binding = ["tools/call", { name: "t", arguments: { a: 1, b: [2] } }, "ann"];
const refused = { code: -32_602, message: expect.stringContaining("requestState") };
const state = { rounds: 1, text: "ü €" };

test("a sealed state opens for the same request, whatever the order of its members", async () => {
  const seal = new RequestStateSeal({});
  const sealed = await seal.seal(state, binding);
  expect(sealed).toMatch(/^[\w-]+$/);
  expect(sealed).not.toContain("rounds");
  expect(await seal.open(sealed, binding)).toEqual(state);
  const reordered = ["tools/call", { arguments: { b: [2], a: 1 }, name: "t" }, "ann"];
  expect(await seal.open(sealed, reordered)).toEqual(state);
});

test.each([
  ["another method", ["prompts/get", binding[1], "ann"]],
  ["another argument", ["tools/call", { name: "t", arguments: { a: 2, b: [2] } }, "ann"]],
  [
    "an argument of another type",
    ["tools/call", { name: "t", arguments: { a: "1", b: [2] } }, "ann"],
  ],
  ["another principal", ["tools/call", binding[1], "bob"]],
  ["no principal", ["tools/call", binding[1], undefined]],
])("it does not open for %s", async (_, other) => {
  const seal = new RequestStateSeal({});
  const sealed = await seal.seal(state, binding);
  await expect(seal.open(sealed, other)).rejects.toMatchObject(refused);
});

test("changed, truncated or extended text does not open", async () => {
  const seal = new RequestStateSeal({});
  const sealed = await seal.seal(state, binding);
  const texts = [...sealed].flatMap((unit, index) => [
    sealed.slice(0, index),
    `${sealed.slice(0, index)}${unit === "A" ? "B" : "A"}${sealed.slice(index + 1)}`,
  ]);
  // Some bits of the last unit belong to no byte.
  texts.pop();
  for (const text of [...texts, `${sealed}AAAA`, `${sealed}=`, "", "é", "%%%%"]) {
    await expect(seal.open(text, binding)).rejects.toMatchObject(refused);
  }
});

test.each([5, null, {}, [], true])("the value %j is not a state", async (value) => {
  await expect(new RequestStateSeal({}).open(value, binding)).rejects.toMatchObject(refused);
});

test("it expires after ten minutes, or the configured time", async () => {
  for (const ttlMs of [undefined, 1000]) {
    let nowMs = 1_000_000;
    const seal = new RequestStateSeal({ now: () => nowMs, ...(ttlMs !== undefined && { ttlMs }) });
    const sealed = await seal.seal(state, binding);
    nowMs += ttlMs ?? 600_000;
    expect(await seal.open(sealed, binding)).toEqual(state);
    nowMs += 1;
    await expect(seal.open(sealed, binding)).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining("expired 1 ms ago"),
    });
  }
});

test("the first key seals and all open, so that keys can be replaced one by one", async () => {
  const old = new RequestStateSeal({ keys: [keyOf(1)] });
  const both = new RequestStateSeal({ keys: [keyOf(2), keyOf(1)] });
  const fresh = new RequestStateSeal({ keys: [keyOf(2)] });
  expect(await both.open(await old.seal(state, binding), binding)).toEqual(state);
  expect(await fresh.open(await both.seal(state, binding), binding)).toEqual(state);
  const sealed = await old.seal(state, binding);
  await expect(fresh.open(sealed, binding)).rejects.toMatchObject(refused);
});

test("sealing the same state twice results in different texts", async () => {
  const seal = new RequestStateSeal({ keys: [keyOf(1)] });
  const all = await Promise.all([1, 2, 3].map(() => seal.seal(state, binding)));
  expect(new Set(all).size).toBe(3);
});
