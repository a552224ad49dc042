import { expect, test } from "vitest";
import { createPalette } from "../../../output/palette.ts";
import { drawRows } from "./diff-view.ts";
import { diffTexts } from "./text-diff.ts";

function draw(before: string | undefined, after: string, hasColour = false): string {
  const { rows } = diffTexts(before, after);
  return drawRows(rows.slice(0, rows.length), rows.lastNumber, createPalette(hasColour))
    .map((row) => row.text)
    .join("\n");
}

test("without colours the changed words stand in brackets", () => {
  expect(draw("one\nthe old word\n", "one\nthe new word\n")).toBe(
    ["  1   one", "  2 - the [-old-] word", "  2 + the {+new+} word"].join("\n"),
  );
});

test("with colours the changed words are inverse", () => {
  const drawn = draw("the old word\n", "the new word\n", true);
  expect(drawn).toContain("\x1b[31m- the \x1b[7mold\x1b[27m word\x1b[39m");
  expect(drawn).toContain("\x1b[32m+ the \x1b[7mnew\x1b[27m word\x1b[39m");
});

test("no escape sequence of an agent reaches the terminal", () => {
  const hostile = "\x1b[2J\x1b]52;c;AAAA\x07\x9b1A\x1bP\r\b";
  for (const hasColour of [false, true]) {
    const drawn = draw(`old ${hostile}\n`, `new ${hostile}\n`, hasColour);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
    expect(drawn.replace(/\x1b\[\d+m/g, "")).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
  }
});

test("a tab is four columns wide, and an arrow where it is the change", () => {
  expect(draw("a\n", "\ta\n")).toBe("  1 - a\n  1 + {+→   +}a");
  expect(draw("\ta b\n", "\ta c\n")).toContain("-     a [-b-]");
});

test("the part of a long line around the change is shown, and the rest counted", () => {
  const drawn = draw(`${"x".repeat(9_000)}old${"y".repeat(9_000)}\n`, "z\n");
  expect(drawn).toContain("…(17603 characters)…");
  const marked = draw(
    `${"x ".repeat(4_500)}old${" y".repeat(4_500)}\n`,
    `${"x ".repeat(4_500)}new${" y".repeat(4_500)}\n`,
  );
  expect(marked).toContain("…(8920 characters)…");
  expect(marked).toContain("x [-old-] y");
});

test("the number column is as wide as the largest number", () => {
  const lines = Array.from({ length: 12_345 }, () => "same").join("\n");
  expect(draw(`${lines}\na\n`, `${lines}\nb\n`)).toContain("12346 - [-a-]");
});
