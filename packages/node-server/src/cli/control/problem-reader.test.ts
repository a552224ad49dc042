import { expect, test } from "vitest";
import { OutputLines } from "../../folder-host/command/output-lines.ts";
import { ProblemReader } from "./problem-reader.ts";

/** Each problem of an output, in short. */
function read(text: string) {
  const reader = new ProblemReader("/notes");
  const lines = new OutputLines((line) => reader.push(line));
  lines.push(Buffer.from(text));
  lines.end();
  return reader.found.files.flatMap(({ path, diagnostics }) =>
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
  expect(read("")).toEqual([]);
});

test("what is said again is one problem, as of a header that many files include", () => {
  const line = "a.h:3:7: warning: unused\n";
  expect(read(`${line}b.c:1:1: note: here\n${line}${line}`)).toHaveLength(2);
});

test("of endless problems the first 2,000 are told, none of them longer than 2,000 characters", () => {
  const lines = Array.from(
    { length: 5_000 },
    (_, at) => `a.c:${at + 1}:1: error: ${"x".repeat(3e3)}`,
  );
  const found = read(lines.join("\n"));
  expect(found).toHaveLength(2_000);
  expect(found.at(-1)).toEqual(["/notes/a.c", 1_999, 0, "error", "x".repeat(2_000)]);
});

test("a line number that no file has is no problem", () => {
  expect(read(`a.c:${"9".repeat(400)}:1: error: far\na.c:1:${"9".repeat(30)}: far\n`)).toEqual([]);
});
