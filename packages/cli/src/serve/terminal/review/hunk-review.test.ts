import { expect, test } from "vitest";
import { HunkReview, type HunkVerdict } from "./hunk-review.ts";

const [Y, N]: readonly HunkVerdict[] = ["accepted", "rejected"];

/** Numbered lines, with some replaced. */
function lines(length: number, changes: Readonly<Record<number, string>> = {}): string {
  return Array.from({ length }, (_, index) => `${changes[index] ?? `line ${index}`}\n`).join("");
}

function review(before: string, after: string, verdicts: readonly (HunkVerdict | undefined)[]) {
  const made = new HunkReview(before, after);
  for (const [index, verdict] of verdicts.entries()) made.decide(index, verdict);
  return made;
}

test("changes with an equal line between them are separate hunks", () => {
  const before = lines(40);
  const made = new HunkReview(before, lines(40, { 2: "a", 4: "b", 30: "c" }));
  expect(made.hunks).toHaveLength(3);
  made.decide(1, N);
  expect(made.text).toBe(lines(40, { 2: "a", 30: "c" }));
});

test("the text results from the verdicts", () => {
  const [before, after] = [lines(40), lines(40, { 2: "a", 20: "b\nb2", 38: "" })];
  expect(review(before, after, [Y, Y, Y]).text).toBe(after);
  expect(review(before, after, [N, N, N]).text).toBe(before);
  expect(review(before, after, [N, Y, N]).text).toBe(lines(40, { 20: "b\nb2" }));
  expect(review(before, after, [undefined, N, undefined]).text).toBe(lines(40, { 2: "a", 38: "" }));
});

test("a verdict can be taken back", () => {
  const made = review(lines(3), lines(3, { 1: "x" }), [N]);
  expect(made.isDone).toBe(true);
  made.decide(0, undefined);
  expect([made.isDone, made.text]).toEqual([false, lines(3, { 1: "x" })]);
});

test("line ends are preserved: of each line where they are mixed, of all where they change", () => {
  const mixed = new HunkReview("a\r\nb\nc\r\nd\n", "a\r\nB\nc\r\nd\n");
  mixed.decide(0, N);
  expect(mixed.text).toBe("a\r\nb\nc\r\nd\n");

  const crlf = (text: string) => text.replaceAll("\n", "\r\n");
  const [before, after] = [lines(30), crlf(lines(30, { 2: "a", 20: "b" }))];
  const made = new HunkReview(before, after);
  expect(made.hunks[0]?.note).toBe("line endings change from LF to CRLF");
  expect(made.hunks).toHaveLength(3);
  expect(review(before, after, [N, Y, N]).text).toBe(lines(30, { 2: "a" }));
  expect(review(before, after, [Y, N, Y]).text).toBe(crlf(lines(30, { 20: "b" })));
  expect(review(before, after, [Y, Y, Y]).text).toBe(after);
  expect(review(crlf(lines(30)), lines(30, { 2: "a", 20: "b" }), [N, Y, N]).text).toBe(
    crlf(lines(30, { 2: "a" })),
  );
});

test("an unterminated last line gets a line end when another line follows", () => {
  const made = new HunkReview("a\nb", "a\nx\nb2\nc\nd\n");
  expect(made.text).toBe("a\nx\nb2\nc\nd\n");
  made.decide(0, N);
  expect(made.text).toBe("a\nb");
});

test("new, emptied and equal files have one hunk, one, and none", () => {
  expect(new HunkReview("", "a\n").hunks).toHaveLength(1);
  expect(review("a\nb\n", "", [N]).text).toBe("a\nb\n");
  expect(new HunkReview("a\n", "a\n").hunks).toHaveLength(0);
});

test("rows have the numbers that they have in the whole file", () => {
  const made = new HunkReview(lines(40), lines(40, { 1: "x\ny", 20: "b" }));
  const [, second = { from: 0, to: 0 }] = made.hunks;
  const rows = made.rowsOf(second);
  expect(rows.slice(0, 100).map(({ kind, number, text }) => [kind, number, text])).toEqual([
    ["same", 19, "line 17"],
    ["same", 20, "line 18"],
    ["same", 21, "line 19"],
    ["removed", 21, "line 20"],
    ["added", 22, "b"],
    ["same", 23, "line 21"],
    ["same", 24, "line 22"],
    ["same", 25, "line 23"],
  ]);
});

test("a hunk is found by a text in a line that changes, in whatever case", () => {
  const made = new HunkReview(lines(40), lines(40, { 2: "Needle", 30: "b" }));
  expect(made.hunks.map((hunk) => made.holds(hunk, "needle"))).toEqual([true, false]);
  expect(made.hunks.map((hunk) => made.holds(hunk, "line 31"))).toEqual([false, false]);
});
