import { expect, test } from "vitest";
import { follow, lineOf } from "./testing/follow.ts";

const caseOf = (n: number) => `  case ${n}:\n    run(${n});\n    break;\n`;
const switchOf = (...cases: readonly number[]) => `switch (x) {\n${cases.map(caseOf).join("")}}\n`;

test("a comment on the break of a deleted case moves to no other break", async () => {
  const before = switchOf(1, 2);
  expect(await follow("a.js", before, switchOf(2, 3), { line: 4 })).toMatchObject({
    status: "orphaned",
  });
  expect(await follow("a.js", before, switchOf(2), { line: 4 })).toMatchObject({
    status: "orphaned",
  });
});

test("a comment on the break of a remaining case stays on it", async () => {
  const before = switchOf(1, 2);
  expect(await follow("a.js", before, switchOf(2, 3), { line: 7 })).toMatchObject({ line: 4 });
  expect(await follow("a.js", before, switchOf(2, 1), { line: 4 })).toMatchObject({ line: 7 });
});

test("a short statement is followed into and out of an enclosing block", async () => {
  const plain = "function f() {\n  one();\n  return;\n}\n";
  const inside = "function f() {\n  one();\n  if (x) {\n    return;\n  }\n}\n";
  expect(await follow("a.js", plain, inside, { line: 3 })).toMatchObject({ line: 4 });
  expect(await follow("a.js", inside, plain, { line: 4 })).toMatchObject({ line: 3 });
});

const falls = "switch (x) {\n  case A:\n    break;\n  case B:\n    free(all);\n    break;\n}\n";

test.each([
  ["a.js", "", ""],
  ["a.c", "void f(int x) {\n", "}\n"],
  ["A.java", "class A {\n  void f(int x) {\n", "  }\n}\n"],
])(
  "a comment on a case stays on it when the case falls through to new ones: %s",
  async (path, top, end) => {
    const before = `${top}${falls}${end}`;
    const after = before
      .replace("A:\n", "A:\n  case C:\n  case D:\n")
      .replace("B:\n", "B:\n  case E:\n  case F:\n");
    for (const text of ["case A", "case B"]) {
      const there = await follow(path, before, after, { line: lineOf(before, text) });
      expect(there).toMatchObject({ line: lineOf(after, text) });
      const back = await follow(path, after, before, { line: lineOf(after, text) });
      expect(back).toMatchObject({ line: lineOf(before, text) });
    }
  },
);
