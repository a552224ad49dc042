import { expect, test } from "vitest";
import { findJsonFault } from "./find-json-fault.ts";

test("a string of any length does not exhaust the stack", () => {
  const escapes = "\\n".repeat(5_000_000);
  expect(findJsonFault(`["${escapes}"]`)).toBe(escapes.length + 4);
  expect(findJsonFault(`["${escapes}\\x"]`)).toBe(1);
});

test.each([
  ['{"a\\u00e9\\\\":""}', 16],
  ['["a', 1],
  ['["a\\"', 1],
  ['["a\nb"]', 1],
  ['["" ""]', 4],
])("the fault of %j is at %i", (text, at) => {
  expect(findJsonFault(text)).toBe(at);
});
