import { expect, test } from "vitest";
import { positionAt, TextLines } from "./text-lines.ts";

const chunks = ["\n", "\r\n", "\r", "a", "🌱"];

/** Every text of so many pieces. */
function textsOf(count: number): readonly string[] {
  if (count === 0) return [""];
  return textsOf(count - 1).flatMap((text) => chunks.map((piece) => text + piece));
}

test("\\n and \\r\\n end a line and belong to none; a lone \\r is a character", () => {
  const lines = new TextLines("ab\r\nc\rd\n");
  expect(lines.lastLine).toBe(2);
  expect([0, 1, 2, 3].map((line) => lines.lengthOf(line))).toEqual([2, 3, 0, 0]);
  expect([2, 3, 4].map((offset) => lines.positionAt(offset))).toEqual([
    { line: 0, character: 2 },
    { line: 0, character: 2 },
    { line: 1, character: 0 },
  ]);
});

test("a range is cut to what the text has", () => {
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

test("a place leads back to its offset, also for one that is looked up alone", () => {
  for (const text of textsOf(5)) {
    const lines = new TextLines(text);
    for (let offset = 0; offset <= text.length; offset++) {
      // Between the halves of a line end there is no place.
      if (text.slice(offset - 1, offset + 1) === "\r\n") continue;
      const place = positionAt(text, offset);
      expect(lines.positionAt(offset)).toEqual(place);
      expect(lines.offsetAt(place)).toBe(offset);
    }
  }
});
