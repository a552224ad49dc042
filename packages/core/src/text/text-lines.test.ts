import { expect, test } from "vitest";
import { positionAt, TextLines } from "./text-lines.ts";

const chunks = ["\n", "\r\n", "\r", "a", "🌱"];

/** Every text of `count` chunks. */
function textsOf(count: number): readonly string[] {
  if (count === 0) return [""];
  return textsOf(count - 1).flatMap((text) => chunks.map((piece) => text + piece));
}

test("lines end at \\n, \\r\\n and \\r, as in LSP, and do not contain their ends", () => {
  const lines = new TextLines("ab\r\nc\rd\n");
  expect(lines.lastLine).toBe(3);
  expect([0, 1, 2, 3, 4].map((line) => lines.lengthOf(line))).toEqual([2, 1, 1, 0, 0]);
  expect([2, 3, 4, 6].map((offset) => lines.positionAt(offset))).toEqual([
    { line: 0, character: 2 },
    { line: 0, character: 2 },
    { line: 1, character: 0 },
    { line: 2, character: 0 },
  ]);
});

test("the lines are those of LSP, whatever ends them", () => {
  for (const text of textsOf(5)) {
    const lines = new TextLines(text);
    const lengths = Array.from({ length: lines.lastLine + 1 }, (_, line) => lines.lengthOf(line));
    // `EOL` in LSP 3.17, Text Documents.
    expect(lengths).toEqual(text.split(/\r\n|\n|\r/).map(({ length }) => length));
  }
});

test("a range is clamped to the text", () => {
  const lines = new TextLines("one\ntwo");
  const range = { start: { line: 0, character: 9 }, end: { line: 7, character: 0 } };
  expect(lines.clamp(range)).toEqual({
    start: { line: 0, character: 3 },
    end: { line: 1, character: 3 },
  });
  expect(lines.slice(range)).toBe("\ntwo");
  expect(lines.rangeOf(-1, 99)).toEqual({
    start: { line: 0, character: 0 },
    end: { line: 1, character: 3 },
  });
});

test("a position leads back to its offset, also when it is looked up alone", () => {
  for (const text of textsOf(5)) {
    const lines = new TextLines(text);
    for (let offset = 0; offset <= text.length; offset++) {
      // There is no position within a line end.
      if (text.slice(offset - 1, offset + 1) === "\r\n") continue;
      const position = positionAt(text, offset);
      expect(lines.positionAt(offset)).toEqual(position);
      expect(lines.offsetAt(position)).toBe(offset);
    }
  }
});
