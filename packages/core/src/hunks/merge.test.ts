import fc from "fast-check";
import { expect, test } from "vitest";
import { findConflicts, mergeTexts } from "./merge.ts";

// A fixed seed: every run tests the same cases. IDEWIRE_SEED sets another.
fc.configureGlobal({ seed: Number(process.env["IDEWIRE_SEED"] ?? 20261122) });

const line = fc.constantFrom("one two three\n", "four five\n", "six\n", "\n", "seven eight");
const anyText = fc.array(line, { maxLength: 8 }).map((lines) => lines.join(""));

test("a side that changed nothing leaves the other's text", () => {
  fc.assert(
    fc.property(anyText, anyText, (base, other) => {
      expect(mergeTexts(base, base, other)).toEqual({ text: other, overlaps: [] });
      expect(mergeTexts(base, other, base)).toEqual({ text: other, overlaps: [] });
    }),
  );
});

test("identical changes of both sides are applied once", () => {
  fc.assert(
    fc.property(anyText, anyText, (base, both) => {
      expect(mergeTexts(base, both, both)).toEqual({ text: both, overlaps: [] });
    }),
  );
});

test("without overlap the order of the sides does not matter", () => {
  fc.assert(
    fc.property(anyText, anyText, anyText, (base, mine, theirs) => {
      const merged = mergeTexts(base, mine, theirs);
      const mirrored = mergeTexts(base, theirs, mine);
      expect(merged.overlaps.length === 0).toBe(mirrored.overlaps.length === 0);
      if (merged.overlaps.length === 0) expect(merged.text).toBe(mirrored.text);
    }),
  );
});

test("no word of mine is lost without an overlap being reported", () => {
  const words = fc.array(fc.constantFrom("alpha ", "beta ", "gamma\n", "delta "), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(words, words, fc.nat(12), (base, theirs, at) => {
      const mine = [...base.slice(0, at), "MINE ", ...base.slice(at)].join("");
      const merged = mergeTexts(base.join(""), mine, theirs.join(""));
      if (merged.overlaps.length === 0) expect(merged.text).toContain("MINE ");
    }),
  );
});

test("changes of different lines, and of different words of one line, are merged", () => {
  const base = "Title\n\nThe quick brown fox jumps over the lazy dog.\nEnd\n";
  const mine = "Title!\n\nThe quick red fox jumps over the lazy dog.\nEnd\n";
  const theirs = "Title\n\nThe quick brown fox jumps over the sleepy dog.\nThe end\n";
  expect(mergeTexts(base, mine, theirs)).toEqual({
    text: "Title!\n\nThe quick red fox jumps over the sleepy dog.\nThe end\n",
    overlaps: [],
  });
});

test("where both changed the same word, or inserted at one place, theirs is taken and the lines are reported", () => {
  const words = mergeTexts("a\nthe brown fox\n", "a\nthe red fox\n", "a\nthe blue fox\n");
  expect(words).toEqual({ text: "a\nthe blue fox\n", overlaps: [{ from: 1, to: 2 }] });
  const insertions = mergeTexts("a\nz\n", "a\nmine\nz\n", "a\ntheirs\nz\n");
  expect(insertions).toEqual({ text: "a\ntheirs\nz\n", overlaps: [{ from: 1, to: 2 }] });
});

test("the lines of an overlap are those of mine, whatever either side changed before them", () => {
  const base = "a\nb\nc\nd\n";
  const merged = mergeTexts(base, "new\na\nb\nc\nmine\nmore\n", "a\nB\nc\ntheirs\n");
  expect(merged.overlaps).toEqual([{ from: 4, to: 6 }]);
});

test("a hunk is a conflict when both sides changed its lines, not when one of them did", () => {
  const base = "a\nb\nc\nd\ne\nf\ng\n";
  const current = "a\nmine\nc\nd\ne\nF\ng\n";
  const proposed = "a\ntheirs\nc\nD\ne\nf\ng\n";
  expect(findConflicts({ base, current, proposed })).toEqual([{ from: 1, to: 2 }]);
  expect(findConflicts({ base, current: base, proposed })).toEqual([]);
});

test("lines that one side deleted and the other changed are a conflict", () => {
  const base = "a\nb\nc\n";
  expect(findConflicts({ base, current: "a\nc\n", proposed: "a\nB\nc\n" })).toEqual([
    { from: 1, to: 1 },
  ]);
  expect(findConflicts({ base, current: "a\nB\nc\n", proposed: "a\nc\n" })).toEqual([
    { from: 1, to: 2 },
  ]);
});
