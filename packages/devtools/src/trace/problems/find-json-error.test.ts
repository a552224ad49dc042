import { expect, test } from "vitest";
import { findJsonError } from "./find-json-error.ts";

test("a string of any length does not exhaust the stack", () => {
  const escapes = "\\n".repeat(5_000_000);
  expect(findJsonError(`["${escapes}"]`)).toBe(escapes.length + 4);
  expect(findJsonError(`["${escapes}\\x"]`)).toBe(1);
});

test.each([
  ['{"a\\u00e9\\\\":""}', 16],
  ['["a', 1],
  ['["a\\"', 1],
  ['["a\nb"]', 1],
  ['["" ""]', 4],
])("the fault of %j is at %i", (text, at) => {
  expect(findJsonError(text)).toBe(at);
});
