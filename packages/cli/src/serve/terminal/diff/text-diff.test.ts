import { expect, onTestFinished, test, vi } from "vitest";
import type { DiffRow } from "./diff-rows.ts";
import { diffTexts, type TextDiff } from "./text-diff.ts";

function sketch(before: string | undefined, after: string): readonly string[] {
  const signs = { same: " ", removed: "-", added: "+", gap: "…" };
  return rowsOf(diffTexts(before, after)).map(
    ({ kind, number, text }) => `${number}${signs[kind]}${text}`,
  );
}

function rowsOf({ rows }: TextDiff): readonly DiffRow[] {
  return rows.slice(0, rows.length);
}

function numbered(count: number, change: (number: number) => string = String): string {
  return Array.from({ length: count }, (_, index) => `${change(index + 1)}\n`).join("");
}

test("a change is shown with three lines around it", () => {
  const after = numbered(20, (number) => (number === 10 ? "ten" : String(number)));
  expect(sketch(numbered(20), after)).toEqual([
    "7 7",
    "8 8",
    "9 9",
    "10-10",
    "10+ten",
    "11 11",
    "12 12",
    "13 13",
  ]);
});

test("a gap separates changes that are far apart, not near ones", () => {
  const change = (numbers: readonly number[]) => (number: number) =>
    numbers.includes(number) ? "x" : String(number);
  expect(sketch(numbered(30), numbered(30, change([5, 20])))).toContain("17…");
  expect(sketch(numbered(30), numbered(30, change([5, 12]))).join()).not.toContain("…");
});

test("line numbers are those of the old text for removed lines, else of the new one", () => {
  expect(sketch("a\nb\nc\n", "0\na\nc\n")).toEqual(["1+0", "2 a", "2-b", "3 c"]);
});

test("a new file has only added lines, a deleted text only removed ones, and a note reports it", () => {
  expect(sketch(undefined, "a\nb\n")).toEqual(["1+a", "2+b"]);
  expect(diffTexts(undefined, "a\n").notes).toEqual(["a new file"]);
  expect(diffTexts(undefined, "").notes).toEqual(["a new, empty file"]);
  expect(sketch("a\nb\n", "")).toEqual(["1-a", "2-b"]);
  expect(diffTexts("a\nb\n", "").notes).toEqual(["the whole text is deleted"]);
  expect(diffTexts("", "a\n")).toMatchObject({ notes: [], added: 1, removed: 0 });
});

test("a line end at the end of the file is a note, not a changed line", () => {
  const added = diffTexts("a\nb", "a\nb\n");
  expect(added.notes).toEqual(["the newline at the end of the file is added"]);
  expect(rowsOf(added)).toEqual([]);
  expect(diffTexts("a\n", "a").notes).toEqual(["the newline at the end of the file is removed"]);
});

test("other line endings throughout are a note, not a change of every line", () => {
  const diff = diffTexts("a\r\nb\r\nc\r\n", "a\nB\nc\n");
  expect(diff.notes).toEqual(["line endings change from CRLF to LF"]);
  expect([diff.added, diff.removed]).toEqual([1, 1]);
});

test("mixed line endings are shown line by line", () => {
  const diff = diffTexts("a\r\nb\r\n", "a\nb\r\n");
  expect(diff.notes).toEqual(["line endings change from CRLF to mixed"]);
  expect(rowsOf(diff).map((row) => row.text)).toEqual(["a\r", "a", "b\r"]);
});

test("equal texts are reported as unchanged", () => {
  const same = diffTexts("a\n", "a\n");
  expect(same.notes).toEqual(["no change: the text is the same"]);
  expect([same.added, same.removed, same.rows.length]).toEqual([0, 0, 0]);
});

test("5 MB that have nothing in common are compared in bounded time", () => {
  const before = numbered(200_000, (number) => `old line of the text number ${number}`);
  const after = numbered(200_000, (number) => `new line of the text number ${number * 7}`);
  const start = process.cpuUsage();
  const { added, removed, rows } = diffTexts(before, after);
  expect(rows.slice(399_998, 399_999)[0]).toMatchObject({ kind: "added", number: 199_999 });
  expect(process.cpuUsage(start).user / 1_000).toBeLessThan(15_000);
  expect([added, removed]).toEqual([200_000, 200_000]);
});

test("the result does not depend on the speed of a busy machine", () => {
  let nowMs = 0;
  const clock = vi.spyOn(Date, "now").mockImplementation(() => {
    nowMs += 10_000;
    return nowMs;
  });
  onTestFinished(() => clock.mockRestore());
  const after = numbered(1_000, (number) => (number % 100 === 50 ? "x" : String(number)));
  expect(diffTexts(numbered(1_000), after)).toMatchObject({ added: 10, removed: 10 });
});

test("a small change in 5 MB is found", () => {
  const before = numbered(200_000, (number) => `line of the text number ${number}`);
  const after = before
    .replace("number 1000\n", "number X\n")
    .replace("line of the text number 199000\n", "");
  expect(diffTexts(before, after)).toMatchObject({ added: 1, removed: 2 });
});
