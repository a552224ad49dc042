import fc from "fast-check";
import { expect, test } from "vitest";
import { findHunks } from "./find-hunks.ts";
import { type SequenceChange, splitLines } from "./sequences.ts";
import { diffWords, splitCells, splitWords } from "./words.ts";

// A fixed seed: every run tests the same cases. IDEWIRE_SEED sets another.
fc.configureGlobal({ seed: Number(process.env["IDEWIRE_SEED"] ?? 20261122) });

const anyText = fc
  .array(
    fc.constantFrom(
      "| one |",
      "\\",
      "|",
      "[ ]",
      "one",
      "two",
      " ",
      "\n",
      "漢字",
      "é",
      "😀",
      "\ud83d",
      ".",
      "\r\n",
    ),
    {
      maxLength: 20,
    },
  )
  .map((words) => words.join(""));

/** The words that differ in the hunks of two texts, as offsets in them. */
function wordsOfHunks(a: string, b: string): readonly SequenceChange[] {
  return findHunks(a, b).flatMap(({ fromA, toA, fromB, toB }) =>
    diffWords(a.slice(fromA, toA), b.slice(fromB, toB)).map((word) => ({
      fromA: word.fromA + fromA,
      toA: word.toA + fromA,
      fromB: word.fromB + fromB,
      toB: word.toB + fromB,
    })),
  );
}

test("lines and words, joined, are the text", () => {
  fc.assert(
    fc.property(fc.oneof(anyText, fc.string({ unit: "grapheme", maxLength: 20 })), (text) => {
      expect(splitLines(text).join("")).toBe(text);
      expect(splitWords(text).join("")).toBe(text);
      expect(splitCells(text).join("")).toBe(text);
    }),
  );
});

test("the changes, applied to the first text, give the second", () => {
  fc.assert(
    fc.property(anyText, anyText, (a, b) => {
      let result = "";
      let at = 0;
      for (const { fromA, toA, fromB, toB } of wordsOfHunks(a, b)) {
        result += a.slice(at, fromA) + b.slice(fromB, toB);
        at = toA;
      }
      expect(result + a.slice(at)).toBe(b);
    }),
  );
});

function marked(a: string, b: string) {
  return wordsOfHunks(a, b).map((c) => [a.slice(c.fromA, c.toA), b.slice(c.fromB, c.toB)]);
}

test("prose differs by whole words", () => {
  expect(
    marked("The quick brown fox jumps over it.\n", "The quiet brown fox leaps over it.\n"),
  ).toEqual([
    ["quick", "quiet"],
    ["jumps", "leaps"],
  ]);
});

test("changed words with a space between them are one change", () => {
  expect(
    marked("We will meet in the park at noon.", "We shall gather in the park at noon."),
  ).toEqual([["will meet", "shall gather"]]);
});

test("an entirely different line is marked as a whole", () => {
  expect(marked("x\nalpha beta gamma\ny\n", "x\nnothing to do with that\ny\n")).toEqual([
    ["alpha beta gamma\n", "nothing to do with that\n"],
  ]);
});

test("scripts without spaces differ by character", () => {
  expect(marked("今日は良い天気です", "今日は悪い天気です")).toEqual([["良", "悪"]]);
});

test("edits far apart in a long note stay apart", () => {
  const lines = Array.from({ length: 5000 }, (_, i) => `Line ${i} says something.\n`);
  const edited = lines.map((line, i) => (i % 500 === 7 ? line.replace("says", "tells") : line));
  expect(marked(lines.join(""), edited.join(""))).toEqual(Array(10).fill(["says", "tells"]));
});

test("in a table whole cells change, however little of a row is kept", () => {
  const a = "| name | what to bring |\n|---|---|\n| Ann | white bread, a lot |\n";
  const b = "| name | what to bring |\n|---|---|\n| Bob | red wine |\n";
  expect(marked(a, b)).toEqual([
    ["Ann", "Bob"],
    ["white bread, a lot", "red wine"],
  ]);
  expect(marked("| a \\| b | c |\n", "| a \\| x | c |\n")).toEqual([["a \\| b", "a \\| x"]]);
});

test("a task box changes as a whole", () => {
  expect(marked("- [ ] Buy seeds\n", "- [x] Buy seeds\n")).toEqual([["[ ]", "[x]"]]);
});
