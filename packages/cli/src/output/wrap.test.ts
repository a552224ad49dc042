import { expect, test } from "vitest";
import { createPalette } from "./palette.ts";
import { line, Printable } from "./printable.ts";
import { layOut, loadWidths, wrapLine } from "./wrap.ts";

await loadWidths();

const wrap = (text: string, columns: number) => wrapLine(line`${text}`, columns).split("\n");

test("rows break at spaces, and continue below the text of their line, never at the left margin", () => {
  expect(wrap("one two three", 8)).toEqual(["one two", "  three"]);
  expect(wrap("  sign one two three", 12)).toEqual(["  sign one", "  two three"]);
  expect(wrap("  page    a link and more", 20)).toEqual(["  page    a link and", "          more"]);
});

test("a word that fits a row is never broken, though it may start further left; longer words are left to the terminal", () => {
  expect(wrap("  file    ~/.claude/ide/1.lock", 20)).toEqual(["  file", "~/.claude/ide/1.lock"]);
  expect(wrap("      abcdefgh", 10)).toEqual(["  abcdefgh"]);
  expect(wrap("page  http://127.0.0.1:1/abc x", 12)).toEqual(["page  http://127.0.0.1:1/abc x"]);
});

test("a text whose label takes most of the row is printed below it", () => {
  expect(wrap("  select <file>:10-20  select lines", 24)).toEqual([
    "  select <file>:10-20",
    "      select lines",
  ]);
});

test("wide characters count two columns, joined emoji as one, colours none", () => {
  expect(wrap("漢字 漢字 漢", 9)).toEqual(["漢字 漢字", "  漢"]);
  expect(wrap("👩‍💻 👩‍💻 👩‍💻", 5)).toEqual(["👩‍💻 👩‍💻", "  👩‍💻"]);
  const { bold } = createPalette(true);
  expect(wrapLine(bold("one two"), 7)).toBe("\x1b[1mone two\x1b[22m");
});

test("a colour ends with its row and begins again with the next", () => {
  const { bad } = createPalette(true);
  expect(wrapLine(line`- ${bad("one two")}`, 6)).toBe(
    "- \x1b[31mone\x1b[39m\n  \x1b[31mtwo\x1b[39m",
  );
});

test("code loses no space but the one that a break replaces", () => {
  const row = new Printable("  1 + a      b c", 6);
  expect(wrapLine(row, 10)).toBe("  1 + a\n         b\n      c");
});

test("without a terminal a line is not wrapped", () => {
  const output = { columns: 10 } as Parameters<typeof layOut>[1];
  expect(layOut(line`one two three four`, output)).toBe("one two three four");
  expect(layOut(line`one two three four`, { ...output, isTTY: true } as typeof output)).toContain(
    "\n",
  );
});

test("a word of any length does not exhaust the stack", () => {
  expect(wrap("a".repeat(16_000_000), 80)).toHaveLength(1);
});
