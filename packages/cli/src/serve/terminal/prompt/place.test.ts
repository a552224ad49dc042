import { expect, test } from "vitest";
import { parsePlace, toRange } from "./place.ts";

test("a file may be named alone, with a line, with lines, or with columns", () => {
  expect(parsePlace("notes.md")).toEqual({ file: "notes.md" });
  expect(parsePlace("notes.md:10")).toEqual({
    file: "notes.md",
    start: { line: 10 },
    end: { line: 10 },
  });
  expect(parsePlace("my notes.md:10-20")).toEqual({
    file: "my notes.md",
    start: { line: 10 },
    end: { line: 20 },
  });
  expect(parsePlace("a:10:5-12:8")).toEqual({
    file: "a",
    start: { line: 10, column: 5 },
    end: { line: 12, column: 8 },
  });
});

test("colons, quotes and spaces in names are taken literally", () => {
  expect(parsePlace("C:\\notes.md:3").file).toBe("C:\\notes.md");
  expect(parsePlace('"a b.md":3').file).toBe("a b.md");
  expect(parsePlace("it's.md").file).toBe("it's.md");
  expect(parsePlace("time 10:30 and more").file).toBe("time 10:30 and more");
});

const text = "first\nsecond\r\nthird";

test("lines are selected whole, from 1, the last one with its end left out", () => {
  const { start, end } = { start: { line: 1 }, end: { line: 2 } };
  expect(toRange(start, end, text)).toEqual({
    start: { line: 0, character: 0 },
    end: { line: 1, character: 6 },
  });
});

test("columns are positions of the cursor, from 1", () => {
  expect(toRange({ line: 1, column: 2 }, { line: 3, column: 6 }, text)).toEqual({
    start: { line: 0, character: 1 },
    end: { line: 2, character: 5 },
  });
});

test("a position outside is refused with the valid ones", () => {
  expect(() => toRange({ line: 999 }, { line: 999 }, text)).toThrow("line 999 is outside 1–3");
  expect(() => toRange({ line: 0 }, { line: 1 }, text)).toThrow("line 0 is outside 1–3");
  expect(() => toRange({ line: 1, column: 9 }, { line: 1, column: 9 }, text)).toThrow(
    "column 9 of line 1 is outside 1–6",
  );
  expect(() => toRange({ line: 3 }, { line: 2 }, text)).toThrow("line 2 is before line 3");
});
