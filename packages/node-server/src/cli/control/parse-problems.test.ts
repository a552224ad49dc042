import { expect, test } from "vitest";
import { parseProblems } from "./parse-problems.ts";

/** Each problem of an output, in short. */
function read(text: string) {
  return parseProblems(text, "/notes").files.flatMap(({ path, diagnostics }) =>
    diagnostics.map(({ range: { start }, severity, message }) => {
      return [path, start.line, start.character, severity, message];
    }),
  );
}

test.each([
  ["src/a.c:3:7: error: expected ';'", ["/notes/src/a.c", 2, 6, "error", "expected ';'"]],
  ["src/a.c:3:7: fatal error: no such file", ["/notes/src/a.c", 2, 6, "error", "no such file"]],
  ["/tmp/b.py:12: warning: unused", ["/tmp/b.py", 11, 0, "warning", "unused"]],
  [
    "a b.sh:4:1: note: Double quote [SC2086]",
    ["/notes/a b.sh", 3, 0, "information", "Double quote [SC2086]"],
  ],
  ["a.md:1:1 error MD041 first line", ["/notes/a.md", 0, 0, "error", "MD041 first line"]],
  ["\x1b[1ma.c:3:7: \x1b[31merror: \x1b[mno", ["/notes/a.c", 2, 6, "error", "no"]],
  ["a.go:9:2: undefined: x", ["/notes/a.go", 8, 1, "error", "undefined: x"]],
  ["a.ts:9:2: Errors are many", ["/notes/a.ts", 8, 1, "error", "Errors are many"]],
])("%s", (line, problem) => {
  expect(read(`${line}\r\n`)).toEqual([problem]);
});

test("what is no problem is skipped, and no output is no problem", () => {
  expect(read("make: *** [all] Error 1\n\na.c: In function 'main':\na.c:0:1: x\nb:1:\n")).toEqual(
    [],
  );
  expect(parseProblems("", "/notes")).toEqual({ files: [] });
});
