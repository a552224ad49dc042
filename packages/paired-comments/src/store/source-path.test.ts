import { expect, test } from "vitest";
import { parseSourcePath } from "./source-path.ts";

test.each([
  ["src/a.ts", "src/a.ts"],
  ["./src//a.ts", "src/a.ts"],
  ["src/../a.ts", "a.ts"],
  ["src\\a.ts", "src/a.ts"],
  ["..a/b.ts", "..a/b.ts"],
])("%j is the source %j", (path, source) => {
  expect(parseSourcePath(path)).toBe(source);
});

test.each([
  "",
  "/etc/passwd",
  "\\\\server\\share\\a",
  "C:\\a.ts",
  "../a.ts",
  "src/../../a.ts",
  "a\0.ts",
  "\ud800.js",
  "src/",
  "a.ts.comments",
  "x".repeat(501),
])("%j is not the path of a source", (path) => {
  expect(() => parseSourcePath(path)).toThrow(expect.objectContaining({ code: -32003 }));
});

test.each([".git/config", ".env", "src/.env.local", "node_modules/a/index.js", "id_rsa"])(
  "%j is refused as hidden, secret or installed",
  (path) => {
    expect(() => parseSourcePath(path)).toThrow(expect.objectContaining({ code: -32004 }));
  },
);
