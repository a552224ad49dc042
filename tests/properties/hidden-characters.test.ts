import { countAddedHidden, findHidden, labelOfHidden, showHidden } from "@idewire/core/internal";
import fc from "fast-check";
import { expect, test } from "vitest";
import { announceSeed, anyText, seed } from "../src/fuzz.ts";

announceSeed();

/** Hidden characters, the characters in which they hide, and any others. */
const piece = fc.oneof(
  fc.constantFrom(..."\u200b\u200c\u200d\u202e\ufe0f\u180b\u3000\u00a0\ufeff\u0600\u034f\u2800"),
  fc.constantFrom(..."\t\n\r\x1b a1می漢⚠👩🏽🏴", "\ud83d", "\u{e0067}", "\u{e007f}", "\r\n"),
  anyText,
);
const text = fc.array(piece, { maxLength: 12 }).map((chunks) => chunks.join(""));

function check<T>(values: fc.Arbitrary<T>, law: (value: T) => void): void {
  fc.assert(fc.property(values, law), { seed, numRuns: 1_000 });
}

test("found characters are whole, in order, and apart: a label takes the place of one code point", () => {
  check(text, (whole) => {
    let rest = 0;
    let shown = "";
    for (const { start, end, codePoint } of findHidden(whole)) {
      expect(start).toBeGreaterThanOrEqual(rest);
      expect(whole.slice(start, end)).toBe(String.fromCodePoint(codePoint));
      shown += whole.slice(rest, start) + labelOfHidden(codePoint);
      rest = end;
    }
    expect(showHidden(whole)).toBe(shown + whole.slice(rest));
  });
});

test("shown text hides nothing, and is shown unchanged", () => {
  check(text, (whole) => {
    const shown = showHidden(whole);
    expect([...findHidden(shown)]).toEqual([]);
    expect(showHidden(shown)).toBe(shown);
  });
});

test("characters added to a text are counted: as many as it has more, and none in reverse", () => {
  check(fc.tuple(text, fc.nat(12)), ([whole, count]) => {
    const added = countAddedHidden(whole, `${whole}\n${"\u202e".repeat(count)}`);
    expect(added.map((one) => one.count)).toEqual(count === 0 ? [] : [count]);
    expect(countAddedHidden(whole, whole)).toEqual([]);
  });
});
