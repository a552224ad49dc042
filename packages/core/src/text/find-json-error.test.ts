import fc from "fast-check";
import { expect, test } from "vitest";
import { findJsonError } from "./find-json-error.ts";

test.each([
  ['{"a": oops}', 6],
  ['{"a": 1,}', 8],
  ["[1, 2", 5],
  ["[1] x", 4],
  ['{"a" 1}', 5],
  ["", 0],
  ['["a\nb"]', 1],
  ["[1}", 2],
  ['{"a\\u00e9\\\\":""}', 16],
  ['["a', 1],
  ['["a\\"', 1],
  ['["" ""]', 4],
])("the fault of %j is at %i", (text, offset) => {
  expect(findJsonError(text)).toBe(offset);
});

test("JSON with an extra character has its fault at that character", () => {
  fc.assert(fc.property(fc.json(), (text) => findJsonError(text) === text.length));
  expect(findJsonError("[]]")).toBe(2);
});

test.each([
  ["of letters", "x"],
  ["of escapes", "\\n"],
  ["of emoji", "🙂"],
])("the fault behind a string %s of 40 million units is found", (_, unit) => {
  const text = `["${unit.repeat(40_000_000 / unit.length)}"`;
  expect(findJsonError(text)).toBe(text.length);
  expect(findJsonError(`${text} x`)).toBe(text.length + 1);
  expect(findJsonError(text.slice(0, -1))).toBe(1);
  expect(findJsonError(`${text.slice(0, -1)}\\x"]`)).toBe(1);
});
