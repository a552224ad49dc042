import fc from "fast-check";
import { expect, test } from "vitest";
import { HunkReview } from "../../packages/cli/src/serve/terminal/review/hunk-review.ts";
import { announceSeed, seed } from "../src/fuzz.ts";

announceSeed();

/** Few different lines, so that many are equal, with all kinds of line endings. */
const word = fc.constantFrom("a", "b", "", " ", "\t", "ü", "u\u0308", "\r", "🦊");
const lines = fc.array(word, { maxLength: 24 });
const text = fc
  .tuple(lines, fc.constantFrom("\n", "\r\n", "mixed"), fc.boolean())
  .map(([words, end, isEnded]) => {
    const whole = words
      .map((line, index) => line + (end === "mixed" ? (index % 2 ? "\r\n" : "\n") : end))
      .join("");
    return isEnded ? whole : whole.replace(/\r?\n$/, "");
  });

function check<T>(values: fc.Arbitrary<T>, law: (value: T) => void): void {
  fc.assert(fc.property(values, law), { seed, numRuns: 1_000 });
}

test("accepting all hunks yields the proposal, rejecting all yields the old text", () => {
  check(fc.tuple(text, text), ([before, after]) => {
    const review = new HunkReview(before, after);
    expect(review.hunks.length > 0).toBe(before !== after);
    for (const index of review.hunks.keys()) review.decide(index, "accepted");
    expect(review.text).toBe(after);
    for (const index of review.hunks.keys()) review.decide(index, "rejected");
    if (review.hunks.length > 0) expect(review.text).toBe(before);
  });
});

test("every line of the result is a line of one of the two texts", () => {
  check(fc.tuple(text, text, fc.array(fc.boolean(), { maxLength: 12 })), ([before, after, yes]) => {
    const review = new HunkReview(before, after);
    for (const index of review.hunks.keys()) {
      review.decide(index, yes[index] === true ? "accepted" : "rejected");
    }
    const linesOf = (whole: string) => whole.split("\n").map((line) => line.replace(/\r+$/, ""));
    const known = new Set([...linesOf(before), ...linesOf(after)]);
    for (const line of linesOf(review.text)) expect(known).toContain(line);
  });
});
