import { expect, test } from "vitest";
import { follow } from "./testing/follow.ts";

const one = "function one() {\n  return 1;\n}\n";
const two = "function two() {\n  call();\n  return 2;\n}\n";
const three = "function three() {\n  return 3;\n}\n";
const source = `${one}${two}${three}`;

test.each([
  ["the function", 4, 8],
  ["a line inside", 5, 9],
])(
  "a comment on %s is a guess once the function is pasted beside itself",
  async (_, line, other) => {
    const found = await follow("a.js", source, `${one}${two}${two}${three}`, { line });
    expect(found).toMatchObject({
      line,
      status: "ambiguous",
      confidence: 0.5,
      candidates: [{ line: other }],
    });
  },
);

test("a comment on a doc comment is a guess once both are pasted again with their code", async () => {
  const described = `/** Why. */\n${two}`;
  const before = `${one}${described}${three}`;
  const found = await follow("a.js", before, `${one}${described}${described}${three}`, { line: 4 });
  expect(found).toMatchObject({ line: 4, status: "ambiguous", candidates: [{ line: 9 }] });
  const other = `/** Why. */\nfunction four() {\n  return 4;\n}\n`;
  const added = await follow("a.js", before, `${one}${other}${described}${three}`, { line: 4 });
  expect(added).toMatchObject({ line: 8, status: "moved" });
});

test("new code above both copies makes a comment a guess, new code below does not", async () => {
  const fresh = "function fresh() {\n  return 0;\n}\n";
  const above = await follow("a.js", source, `${one}${fresh}${two}${two}${three}`, { line: 5 });
  expect(above).toMatchObject({ status: "ambiguous", candidates: [{ line: 12 }] });
  const below = await follow("a.js", source, `${one}${two}${two}${fresh}${three}`, { line: 5 });
  expect(below).toMatchObject({ line: 5, status: "exact" });
});

test("a comment is not a guess if the copy is elsewhere or has changed", async () => {
  const elsewhere = await follow("a.js", source, `${two}${source}`, { line: 5 });
  expect(elsewhere).toMatchObject({ line: 9, status: "moved" });
  const changed = two.replace("2", "4");
  const above = await follow("a.js", source, `${one}${changed}${two}${three}`, { line: 5 });
  expect(above).toMatchObject({ line: 9, status: "moved" });
});

test("comments on existing duplicates stay on their own copies", async () => {
  const twice = `${one}${two}${two}${three}`;
  const found = await Promise.all(
    [5, 9].map((line) => follow("a.js", twice, `// new\n${twice}`, { line })),
  );
  expect(found).toMatchObject([
    { line: 6, status: "moved" },
    { line: 10, status: "moved" },
  ]);
});

test.each([
  ["the first", 1],
  ["the second", 4],
])("a comment on %s of two functions is a guess once both are pasted below", async (_, line) => {
  const pair = `${one}${two}`;
  const found = await follow("a.js", `${pair}${three}`, `${pair}${pair}${three}`, { line });
  expect(found).toMatchObject({ line, status: "ambiguous", candidates: [{ line: line + 7 }] });
});

test("a comment is not a guess if only one function of a pasted pair adjoins the original", async () => {
  const pair = `${one}${two}`;
  const fresh = "function fresh() {\n  return 0;\n}\n";
  const before = `${three}${pair}`;
  const found = await follow("a.js", before, `${before}${pair}${fresh}`, { line: 4 });
  expect(found).toMatchObject({ line: 4, status: "exact" });
});
