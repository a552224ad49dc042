import { expect, test } from "vitest";
import { reader } from "../testing/follow.ts";

test.each(["a.js", "a.ts"])("%s: every branch counts once", async (path) => {
  const source = `
class A {
  run(a = 1) {
    try { a?.b?.(); } catch { a ||= 2; }
    switch (a) { case 1: case 2: break; default: }
    do { a = a ?? 1; } while (a && 1);
    const inner = () => (a ? 1 : 2);
    return inner;
  }
}
`;
  const found = await reader.functions(path, source);
  expect(found.map(({ name, line, complexity }) => [name, line, complexity])).toEqual([
    ["run", 3, 11],
    ["inner", 7, 2],
  ]);
});

test("Python's branches count, and a file without a grammar has no functions", async () => {
  const source = "def run(a):\n    if a and 1:\n        return 1\n    elif a:\n        return 2\n";
  const [run] = await reader.functions("a.py", source);
  expect(run).toMatchObject({ name: "run", line: 1, complexity: 4 });
  expect(await reader.functions("a.txt", source)).toEqual([]);
});
