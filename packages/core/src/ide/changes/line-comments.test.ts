import { expect, test } from "vitest";
import { composeComments } from "./line-comments.ts";

test("comments are one message with file, lines, quoted code, in the order of the lines", () => {
  const text = "one\r\ntwo\nthree\n";
  const message = composeComments("src/a.ts", text, [
    { line: 3, endLine: 3, text: "Why three?" },
    { line: 1, endLine: 2, text: " Join these.\n" },
  ]);
  expect(message).toBe(
    "src/a.ts, lines 1 to 2:\n> one\n> two\nJoin these.\n\nsrc/a.ts, line 3:\n> three\nWhy three?\n",
  );
});

test("a long range is quoted by its first twenty lines", () => {
  const text = Array.from({ length: 50 }, (_, at) => `${at}`).join("\n");
  const message = composeComments("a", text, [{ line: 1, endLine: 50, text: "All of it" }]);
  expect(message.split("\n").filter((line) => line.startsWith("> "))).toHaveLength(21);
});
