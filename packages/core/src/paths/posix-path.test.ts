import { expect, test } from "vitest";
import { posixPath } from "../testing/posix-path.ts";
import {
  baseName,
  comparisonKey,
  isInside,
  type Platform,
  parsePosixPath,
  relativeTo,
  toNativePath,
  toPosixPath,
} from "./posix-path.ts";

function read(native: string, platform: Platform): string {
  const path = toPosixPath(native, platform);
  return path.ok ? path.value : `refused: ${path.issue}`;
}

test.each([
  ["/", "/"],
  ["/a", "/a"],
  ["/a/", "/a"],
  ["/a//b///c", "/a/b/c"],
  ["/a/./b/.", "/a/b"],
  ["/a/../b", "/b"],
  ["/..", "/"],
  ["/../../a", "/a"],
  ["//a/b", "/a/b"],
  ["///a", "/a"],
  ["/a b/ü/…", "/a b/ü/…"],
  ["/a\\b", "/a\\b"],
  ["/C:/x", "/C:/x"],
  ["/a\n", "/a\n"],
])("on POSIX %j is %j", (native, path) => {
  expect(read(native, "posix")).toBe(path);
});

test.each([
  ["C:\\Users\\me", "/c/Users/me"],
  ["c:/Users/me/", "/c/Users/me"],
  ["C:\\", "/c"],
  ["C:/", "/c"],
  ["C:", "/c"],
  ["\\\\?\\C:\\x", "/c/x"],
  ["\\\\server\\share\\x", "//server/share/x"],
  ["//server/share", "//server/share"],
  ["\\\\?\\UNC\\server\\share\\x", "//server/share/x"],
  ["/c/Users", "/c/Users"],
  ["/C/Users", "/c/Users"],
  ["/\\\\A", "/a"],
  ["/./C/Users", "/c/Users"],
  ["/a b/../C/Users", "/c/Users"],
  ["C:\\a\\..\\b", "/c/b"],
  ["C:\\..\\..\\b", "/c/b"],
  ["C:\\..\\d\\b", "/c/d/b"],
  ["/c/../d/x", "/c/d/x"],
  ["\\\\server\\share\\..\\x", "//server/share/x"],
  ["\\\\server\\share\\..\\..\\other\\x", "//server/share/other/x"],
  ["C:\\a b\\Ü", "/c/a b/Ü"],
])("on Windows %j is %j", (native, path) => {
  expect(read(native, "windows")).toBe(path);
});

test.each<[string, Platform]>([
  ["", "posix"],
  ["a", "posix"],
  ["./a", "posix"],
  ["~/a", "posix"],
  ["C:\\a", "posix"],
  ["a\\b", "windows"],
  ["C:a", "windows"],
  ["", "windows"],
])("%j is refused on %s as not absolute", (native, platform) => {
  expect(read(native, platform)).toMatch(/^refused: the path ".*" is not absolute$/);
});

test.each<Platform>(["posix", "windows"])("NUL is refused on %s", (platform) => {
  expect(read("/a\0b", platform)).toBe("refused: a path may not contain NUL");
  expect(read("C:\\a\0", platform)).toBe("refused: a path may not contain NUL");
});

test("a device is refused", () => {
  expect(read("\\\\.\\pipe\\x", "windows")).toMatch(/^refused: /);
  expect(read("\\\\.\\C:\\x", "windows")).toMatch(/^refused: /);
});

test.each([
  ["/c/Users/me", "C:\\Users\\me"],
  ["/c", "C:\\"],
  ["/z/a b", "Z:\\a b"],
  ["//server/share/x", "\\\\server\\share\\x"],
])("the path %s is written as %s on Windows, and as it is elsewhere", (path, native) => {
  expect(toNativePath(posixPath(path), "windows")).toBe(native);
  expect(toNativePath(posixPath(path), "posix")).toBe(path);
});

test("a path keeps its characters; only its comparison key is composed", () => {
  const composed = posixPath("/w/ü");
  const decomposed = posixPath("/w/u\u0308");
  expect(decomposed).toBe("/w/u\u0308");
  expect(composed === decomposed).toBe(false);
  expect(comparisonKey(composed)).toBe(comparisonKey(decomposed));
});

test("a letter that is composed in only one case matches on Windows", () => {
  const [capital, small] = [posixPath("/c/J\u030c"), posixPath("/c/\u01f0")];
  expect(comparisonKey(capital, "windows")).toBe(comparisonKey(small, "windows"));
});

test("case matters on POSIX and not on Windows", () => {
  const [upper, lower] = [posixPath("/c/W/A"), posixPath("/c/w/a")];
  expect(comparisonKey(upper) === comparisonKey(lower)).toBe(false);
  expect(comparisonKey(upper, "windows")).toBe(comparisonKey(lower, "windows"));
  expect([isInside(lower, upper), isInside(lower, upper, "windows")]).toEqual([false, true]);
});

test.each([
  ["/w", "/w", true],
  ["/w", "/w/a", true],
  ["/w", "/w/a/b", true],
  ["/", "/w", true],
  ["/", "/", true],
  ["/w", "/ws", false],
  ["/w/a", "/w", false],
  ["/w", "/v", false],
  ["/w", "/", false],
  ["/wü", "/wu\u0308/a", true],
  ["//server/share", "//server/share/x", true],
  ["/server", "//server/share", false],
])("%j contains %j: %s", (folder, path, inside) => {
  expect(isInside(posixPath(folder), posixPath(path))).toBe(inside);
});

test.each([
  ["/w", "/w/a/b.txt", "a/b.txt"],
  ["/w", "/w", ""],
  ["/", "/a", "a"],
  ["/w", "/ws/a", "/ws/a"],
  ["/wü", "/wu\u0308/a", "a"],
  ["//server/share", "//server/share/a/b", "a/b"],
])("relative to %j, %j is %j", (folder, path, relative) => {
  expect(relativeTo(posixPath(folder), posixPath(path))).toBe(relative);
});

test("the base name is the last segment", () => {
  expect(["/a/b.txt", "/a", "/", "//s/x"].map((path) => baseName(posixPath(path)))).toEqual([
    "b.txt",
    "a",
    "",
    "x",
  ]);
});

test("a share without a server is the root", () => {
  expect(parsePosixPath("//..")).toEqual({ ok: true, value: "/" });
});
