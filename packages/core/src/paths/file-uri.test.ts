import { expect, test } from "vitest";
import { posixPath } from "../testing/posix-path.ts";
import { fromFileUri, fromRawFileUri, toFileUri, toRawFileUri } from "./file-uri.ts";
import type { Platform } from "./posix-path.ts";

const table: readonly [Platform, string, string, string][] = [
  ["posix", "/", "file:///", "file:///"],
  ["posix", "/a b/ü.txt", "file:///a%20b/%C3%BC.txt", "file:///a b/ü.txt"],
  ["posix", "/100%/#?.md", "file:///100%25/%23%3F.md", "file:///100%/#?.md"],
  ["posix", "/a%20b", "file:///a%2520b", "file:///a%20b"],
  ["posix", "/c/x", "file:///c/x", "file:///c/x"],
  ["posix", "/日本/🦊", "file:///%E6%97%A5%E6%9C%AC/%F0%9F%A6%8A", "file:///日本/🦊"],
  ["windows", "/c/a b", "file:///c:/a%20b", "file://C:\\a b"],
  ["windows", "/c", "file:///c:/", "file://C:\\"],
  ["windows", "//server/share/x", "file://server/share/x", "file://\\\\server\\share\\x"],
];

test.each(table)("on %s the path %s has the URIs %s and raw %s", (platform, path, uri, raw) => {
  expect(toFileUri(posixPath(path), platform)).toBe(uri);
  expect(toRawFileUri(posixPath(path), platform)).toBe(raw);
  expect(fromFileUri(uri, platform)).toEqual({ ok: true, value: path });
  expect(fromRawFileUri(raw, platform)).toEqual({ ok: true, value: path });
});

const lenient: readonly [Platform, string, string][] = [
  ["posix", "FILE:///a", "/a"],
  ["posix", "file://localhost/a", "/a"],
  ["posix", "file:///a/../b", "/b"],
  ["posix", "file:///a/%2e%2e/b", "/b"],
  ["windows", "file:///C:/x", "/c/x"],
  ["windows", "file:///c%3A/x", "/c/x"],
  ["windows", "file:///C:", "/c"],
  ["windows", "file://localhost/c:/x", "/c/x"],
  ["windows", "file://c:\\x", "/c/x"],
  ["windows", "file:///c/x", "/c/x"],
];

test.each(lenient)("on %s the URI %s is read as %s", (platform, uri, path) => {
  expect(fromFileUri(uri, platform)).toEqual({ ok: true, value: path });
});

test("a raw URI is not decoded, whatever it looks like", () => {
  expect(fromRawFileUri("file:///a%20b%", "posix")).toEqual({ ok: true, value: "/a%20b%" });
});

test.each([
  ["", '"" is not a file: URI'],
  ["/a", '"/a" is not a file: URI'],
  ["http://a/b", '"http://a/b" is not a file: URI'],
  ["file:/a", '"file:/a" is not a file: URI'],
  ["file:///a%", '"file:///a%" has a broken percent-encoding'],
  ["file:///a%ff", '"file:///a%ff" has a broken percent-encoding'],
  ["file:///a%00", "a path may not contain NUL"],
  ["file://server/a", 'the path "server/a" is not absolute'],
])("%j is refused: %s", (uri, issue) => {
  expect(fromFileUri(uri, "posix")).toEqual({ ok: false, issue });
});

test("a lone surrogate stays unencoded, the rest is encoded", () => {
  const path = posixPath("/100% \ud83d/b");
  const uri = toFileUri(path, "posix");
  expect(uri).toBe("file:///100%25%20\ud83d/b");
  expect(fromFileUri(uri, "posix")).toEqual({ ok: true, value: path });
});
