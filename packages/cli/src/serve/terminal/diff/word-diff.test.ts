import { expect, test } from "vitest";
import { pairLines } from "./pair-lines.ts";
import { markWords } from "./word-diff.ts";

function sketch(text: string, counterpart: string, side: "removed" | "added"): string {
  return markWords(text, counterpart, side)
    .map((part) => (part.changed ? `<${part.text}>` : part.text))
    .join("");
}

test("words that the other line lacks are marked", () => {
  const [old, next] = ["const a = foo(bar);", "const a = foo(baz);"];
  expect(sketch(old, next, "removed")).toBe("const a = foo(<bar>);");
  expect(sketch(next, old, "added")).toBe("const a = foo(<baz>);");
});

test("changed words separated only by space are one mark", () => {
  expect(sketch("keep one two three", "keep uno dos three", "removed")).toBe(
    "keep <one two> three",
  );
});

test("lines with little in common are not marked", () => {
  expect(sketch("alpha beta gamma", "completely other words", "removed")).toBe("alpha beta gamma");
});

test("a change of whitespace alone is marked", () => {
  expect(sketch("  indented line", "    indented line", "added")).toBe("<  >indented line");
});

test("a very long line is marked from its first difference to its last", () => {
  const [head, tail] = ["x".repeat(30_000), "y".repeat(30_000)];
  expect(sketch(`${head}old${tail}`, `${head}new${tail}`, "removed")).toBe(`${head}<old>${tail}`);
});

test("equal numbers of lines are paired in order", () => {
  const pairs = pairLines(["a", "b"], ["c", "d"]);
  expect([0, 1, 2].map(pairs.addedFor)).toEqual([0, 1, undefined]);
});

test("otherwise a line is paired with the most similar one", () => {
  const like = pairLines(["let total = 1;"], ["// how many", "let total = 2;"]);
  expect(like.addedFor(0)).toBe(1);
  expect([0, 1].map(like.removedFor)).toEqual([undefined, 0]);
  expect(pairLines(["one two three"], ["four", "five six"]).addedFor(0)).toBeUndefined();
});
