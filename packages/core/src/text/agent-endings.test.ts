import { expect, test } from "vitest";
import { asProposed, asWritten } from "./agent-endings.ts";

test.each([
  ["every line ends with CRLF", "a\r\nb\r\n", "a\nB\n", "a\r\nB\r\n"],
  ["most lines end with CRLF", "a\r\nb\nc\r\n", "a\nB\nc\n", "a\r\nB\r\nc\r\n"],
  ["most lines end with LF", "a\r\nb\nc\n", "a\nB\nc\n", "a\nB\nc\n"],
  ["it has a byte order mark", "\uFEFFa\r\nb\r\n", "\uFEFFa\nB\n", "\uFEFFa\r\nB\r\n"],
  ["a carriage return stands alone", "a\rb\r\nc\r\n", "a\rb\nC\n", "a\rb\r\nC\r\n"],
])("a proposal with LF is compared and written as the agent edits a file in which %s", (...row) => {
  const [, current, proposed, written] = row;
  expect(asProposed(current, proposed)).toBe(current.replaceAll("\r\n", "\n"));
  expect(asWritten(current, proposed)).toBe(written);
});

test.each([
  ["has CRLF itself", "a\nb\n", "a\r\nB\r\n"],
  ["mixes line endings itself", "a\r\nb\r\n", "a\r\nB\n"],
  ["changes line endings alone", "a\r\nb\r\n", "a\nb\n"],
  ["changes line endings of all kinds alone", "a\r\nb\rc\n", "a\nb\nc\n"],
  ["changes line endings and the byte order mark alone", "\uFEFFa\r\nb\r\n", "a\nb\n"],
  ["has no line ending", "a\r\nb\r\n", "ab"],
  ["is for a file with LF", "a\nb\n", "a\nB\n"],
  ["is for an empty file", "", "a\n"],
])("a proposal is compared and written to the byte when it %s", (_, current, proposed) => {
  expect(asProposed(current, proposed)).toBe(current);
  expect(asWritten(current, proposed)).toBe(proposed);
});
