import {
  isInside,
  type Platform,
  type PosixPath,
  parsePosixPath,
  toFileUri,
  toNativePath,
  toPosixPath,
} from "@idewire/core";
import {
  comparisonKey,
  fromFileUri,
  fromRawFileUri,
  relativeTo,
  toRawFileUri,
} from "@idewire/core/internal";
import { posixPath } from "@idewire/core/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { announceSeed, anyText, seed } from "../src/fuzz.ts";

announceSeed();

const platforms: readonly Platform[] = ["posix", "windows"];

const segment = anyText.filter((text) => text !== "" && !/^\.{1,2}$|[/\0]/.test(text));
const windowsSegment = segment.filter((text) => !/[\\:*?"<>|]/.test(text));
const server = windowsSegment.filter((text) => text.toLowerCase() !== "localhost");

const posixPaths = fc.array(segment).map((segments) => `/${segments.join("/")}` as PosixPath);

const windowsPaths = fc.oneof(
  fc
    .tuple(fc.constantFrom(..."abcxyz"), fc.array(windowsSegment))
    .map(([drive, rest]) => `/${[drive, ...rest].join("/")}` as PosixPath),
  fc
    .tuple(server, windowsSegment, fc.array(windowsSegment))
    .map(([host, share, rest]) => `//${[host, share, ...rest].join("/")}` as PosixPath),
);

function join(folder: string, ...below: readonly string[]): string {
  return [folder === "/" ? "" : folder, ...below].join("/") || "/";
}

function check<T>(values: fc.Arbitrary<T>, law: (value: T) => void): void {
  fc.assert(fc.property(values, law), { seed, numRuns: 1_000 });
}

test.each([
  ["posix", posixPaths],
  ["windows", windowsPaths],
] as const)("on %s a path survives native form, URI and raw URI", (platform, paths) => {
  check(paths, (path) => {
    const same = { ok: true, value: path };
    expect(toPosixPath(toNativePath(path, platform), platform)).toEqual(same);
    expect(fromFileUri(toFileUri(path, platform), platform)).toEqual(same);
    expect(fromRawFileUri(toRawFileUri(path, platform), platform)).toEqual(same);
  });
});

test("an encoded URI is ASCII, except for halves of surrogate pairs, and a WHATWG URL", () => {
  check(posixPaths, (path) => {
    const uri = toFileUri(path, "posix");
    expect(uri).toMatch(/^file:\/\/[!-~\ud800-\udfff]*$/);
    if (!/\p{Surrogate}/u.test(path)) expect(new URL(uri).href.startsWith("file:///")).toBe(true);
  });
});

const anyPathText = fc
  .array(fc.oneof(anyText, fc.constantFrom("/", "//", "\\", "..", ".", "C:", "\\\\", "?", "\0")))
  .map((parts) => parts.join(""));

test.each(platforms)(
  "on %s any text is refused with a message, or read into the normal form",
  (platform) => {
    check(
      fc.oneof(
        anyPathText,
        anyPathText.map((text) => `/${text}`),
      ),
      (text) => {
        const read = toPosixPath(text, platform);
        if (!read.ok) {
          expect(read.issue).not.toBe("");
          return;
        }
        const { value } = read;
        expect(parsePosixPath(value)).toEqual(read);
        expect(value).toMatch(/^\/(\/?[^/]+)?(\/[^/]+)*$/s);
        expect(value.split("/").filter((part) => part === ".." || part === ".")).toEqual([]);
        expect(value).not.toContain("\0");
        expect(toPosixPath(toNativePath(value, platform), platform)).toEqual(read);
      },
    );
  },
);

test("dots lead up, and never above the root", () => {
  check(fc.tuple(posixPaths, fc.array(segment, { maxLength: 4 })), ([path, below]) => {
    const inner = join(path, ...below);
    expect(posixPath(join(inner, ...below.map(() => "..")))).toBe(path);
    expect(posixPath(join(inner, ...inner.split("/").map(() => "..")))).toBe("/");
  });
});

test.each(platforms)(
  "on %s a folder contains itself and all below it, and no sibling",
  (platform) => {
    check(fc.tuple(posixPaths, fc.array(segment), segment), ([folder, below, name]) => {
      const inner = posixPath(join(folder, ...below));
      expect(isInside(folder, folder, platform)).toBe(true);
      expect(isInside(folder, inner, platform)).toBe(true);
      expect(isInside(posixPath("/"), inner, platform)).toBe(true);
      if (folder !== "/") {
        expect(isInside(folder, posixPath(`${folder}x${name}`), platform)).toBe(false);
        expect(isInside(posixPath(`${folder}/${name}`), folder, platform)).toBe(false);
      }
    });
  },
);

test("containment is transitive", () => {
  const few = fc.array(fc.constantFrom("a", "A", "ü", "u\u0308", "b"), { maxLength: 3 });
  const paths = few.map((segments) => posixPath(`/${segments.join("/")}`));
  check(fc.tuple(paths, paths, paths, fc.constantFrom(...platforms)), ([a, b, c, platform]) => {
    if (isInside(a, b, platform) && isInside(b, c, platform)) {
      expect(isInside(a, c, platform)).toBe(true);
    }
    const same = comparisonKey(a, platform) === comparisonKey(b, platform);
    expect(isInside(a, b, platform) && isInside(b, a, platform)).toBe(same);
  });
});

test("the folder and the path seen from it make up the path again", () => {
  check(fc.tuple(posixPaths, fc.array(segment, { minLength: 1 })), ([folder, below]) => {
    const path = posixPath(join(folder, ...below));
    expect(posixPath(join(folder, relativeTo(folder, path)))).toBe(path);
  });
});

test("one file has one key: composed or not, and on Windows in whatever case", () => {
  check(posixPaths, (path) => {
    for (const platform of platforms) {
      const key = comparisonKey(path, platform);
      expect(comparisonKey(path.normalize("NFD") as PosixPath, platform)).toBe(key);
      expect(comparisonKey(path.normalize("NFC") as PosixPath, platform)).toBe(key);
      expect(comparisonKey(key as PosixPath, platform)).toBe(key);
    }
    const lower = path.toLowerCase() as PosixPath;
    expect(comparisonKey(lower, "windows")).toBe(comparisonKey(path, "windows"));
  });
});
