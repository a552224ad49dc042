import { expect, test } from "vitest";
import { createExactJson } from "./exact-json.ts";

class Digits {
  readonly digits: string;
  constructor(digits: string) {
    this.digits = digits;
  }
  toString(): string {
    return this.digits;
  }
}

/** Stands for the library: reads one array of numbers. */
function open() {
  let loaded = 0;
  const json = createExactJson(() => {
    loaded += 1;
    return {
      parse: (text, _, toNumber) => text.slice(1, -1).split(",").map(toNumber),
      stringify: (value) => `[${(value as unknown[]).join()}]`,
      isSafeNumber: (digits) => String(Number(digits)) === digits,
      isLosslessNumber: (value) => value instanceof Digits,
      LosslessNumber: Digits,
    };
  });
  return { json, loaded: () => loaded };
}

test("the library is loaded for the first text with a long number, and once", () => {
  const { json, loaded } = open();
  expect(json.parse("[123456789012345]")).toEqual([123456789012345]);
  expect(json.stringify({ a: [1] }, 1)).toBe('{\n "a": [\n  1\n ]\n}');
  expect(loaded()).toBe(0);
  const long = json.parse("[9007199254740993,7]");
  expect(json.parse("[9007199254740995]")).toHaveLength(1);
  expect(loaded()).toBe(1);
  expect(json.stringify(long)).toBe("[9007199254740993,7]");
});

test("a long number is distinguished from other values, and found in one", () => {
  const { json } = open();
  expect(json.isLongNumber(new Digits("1"))).toBe(false);
  const long = json.parse("[9007199254740993,7]") as readonly unknown[];
  expect(long.map(json.isLongNumber)).toEqual([true, false]);
  expect(json.findInexact({ a: { b: long } })).toBe("9007199254740993");
  expect(json.findInexact({ a: [7] })).toBeUndefined();
});
