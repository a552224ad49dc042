import fc from "fast-check";
import picomatch from "picomatch";
import { expect, test } from "vitest";
import type { ListedFile } from "../store/located-comments.ts";
import { globMatcher } from "./glob.ts";
import { searchComments } from "./search.ts";

const pieces = [
  "*",
  "**",
  "?",
  "/",
  "/**/",
  "a",
  "b",
  ".",
  ".ts",
  "[ab]",
  "[!a]",
  "[^b/]",
  "{a,b}",
];
const more = [
  "{a,*b}",
  "{,a}",
  "(a|b)",
  "!",
  "\\*",
  "{1..3}",
  "2",
  "[a",
  "{b",
  "+",
  "$",
  "é",
  "a/b",
];
const globs = fc
  .array(fc.constantFrom(...pieces, ...more), { minLength: 1, maxLength: 7 })
  .map((parts) => parts.join(""));
const names = fc
  .array(fc.constantFrom("a", "b", ".ts", ".a", "2", "*", "é", "!", "+", "$", "[a"), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.join(""));
const paths = fc.array(names, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));

test("a glob matches the paths that picomatch matches", () => {
  fc.assert(
    fc.property(globs, fc.array(paths, { minLength: 20, maxLength: 20 }), (glob, all) => {
      const options = { dot: true, noextglob: true, posix: true, windows: false };
      const isIt = picomatch(glob, options);
      const matches = globMatcher(glob);
      expect(all.filter((path) => matches?.(path))).toEqual(all.filter((path) => isIt(path)));
    }),
    { numRuns: 1_000 },
  );
});

const file = (filePath: string): ListedFile => ({
  filePath,
  comments: [
    {
      comment: {
        ...{ id: "c_1", text: "hello", tag: "TODO", author: "ann" },
        ...{ created: "2025-10-19T00:00:00Z", updated: "2025-10-19T00:00:00Z", unknown: {} },
      },
      place: { line: 1, status: "exact", confidence: 1, how: "", candidates: [] },
      anchor: undefined,
      kept: { line: 1, quote: "" },
    },
  ],
});

test.each(["*a".repeat(5), "*a".repeat(200), "**/a".repeat(100), "{a,aa}".repeat(80), "(a*)*"])(
  "the time of a search by glob depends only on the paths: %.40s",
  (glob) => {
    const files = [file(`${"a".repeat(200)}.ts`), file("a/".repeat(200))];
    const before = process.cpuUsage();
    searchComments(files, { query: "hello", filePath: `${glob}b` });
    const { user, system } = process.cpuUsage(before);
    // Takes milliseconds; a matcher that backtracks takes minutes.
    expect((user + system) / 1_000).toBeLessThan(2_000);
  },
);

test.each(["", "./", "(?<=a)b", "src\\yes"])("an invalid glob is refused: %j", (filePath) => {
  expect(() => searchComments([], { query: "", filePath })).toThrow("filePath: expected a path");
});
