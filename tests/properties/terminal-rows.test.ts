import fc from "fast-check";
import { expect, test } from "vitest";
import { line, Printable } from "../../packages/cli/src/output/printable.ts";
import { wrapLine } from "../../packages/cli/src/output/wrap.ts";
import { announceSeed, seed } from "../src/fuzz.ts";

announceSeed();

const word = fc.oneof(
  fc.stringMatching(/^[a-z~/]{1,50}$/),
  fc.constantFrom(" ", "  ", "      ", "\x1b[31mred\x1b[39m", "\x1b[7m", "\x1b[27m", "a", "-"),
);
const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(" "));
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
const plain = (shown: string) => shown.replace(/\x1b\[\d+m/g, "");
const wordsOf = (shown: string) => plain(shown).split(/\s+/).filter(Boolean);

test("a line in rows has the same words, and a row is wider than the terminal only by a longer word", () => {
  const cases = fc.tuple(text, fc.integer({ min: 1, max: 90 }), fc.option(fc.nat(20)));
  fc.assert(
    fc.property(cases, ([whole, columns, hang]) => {
      const wrapped = wrapLine(new Printable(whole, hang ?? undefined), columns);
      expect(wordsOf(wrapped)).toEqual(wordsOf(whole));
      for (const row of plain(wrapped).split("\n")) {
        if (row.length <= columns) continue;
        expect(wordsOf(row).some(({ length }) => length > columns)).toBe(true);
      }
    }),
    { seed, numRuns: 1_000 },
  );
});

test("a line that fits stays unchanged", () => {
  fc.assert(
    fc.property(text, (whole) => {
      expect(wrapLine(line`${whole}`, 5_000)).toBe(line`${whole}`.text);
    }),
    { seed },
  );
});
