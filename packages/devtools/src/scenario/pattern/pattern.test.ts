import { expect, test } from "vitest";
import { isLike } from "../../like.ts";
import { findPatternFault, mismatches, valueAt } from "./pattern.ts";

const words = { path: (file: string) => `/w/${file}`, uri: (file: string) => `file:///w/${file}` };

function differs(pattern: unknown, value: unknown): readonly string[] {
  return mismatches(pattern, value, words).map(({ at }) => at);
}

test("objects may have more members than their pattern, lists may not have more items", () => {
  expect(differs({ a: 1 }, { a: 1, b: 2 })).toEqual([]);
  expect(differs([1], [1, 2])).toEqual([""]);
  expect(differs({ a: [{ b: 1 }, 2] }, { a: [{ b: 3 }, 2] })).toEqual(["/a/0/b"]);
  expect(differs({ "x/y~z": 1 }, {})).toEqual(["/x~1y~0z"]);
});

test("an inherited member counts as absent", () => {
  expect(differs({ toString: { $any: "anything" } }, {})).toEqual(["/toString"]);
  expect(valueAt({}, "/constructor/name")).toBeUndefined();
});

test.each([
  [{ $any: "string" }, "x", 1],
  [{ $any: "list" }, [], {}],
  [{ $any: "object" }, {}, null],
  [{ $any: "null" }, null, undefined],
  [{ $any: "anything" }, null, undefined],
  [{ $like: "*b*" }, "abc", "ac"],
  [{ $path: "a b.md" }, "/w/a b.md", "/w/a%20b.md"],
  [{ $uri: "a.md" }, "file:///w/a.md", "/w/a.md"],
  [{ $absent: true }, undefined, null],
  [{ $exactly: { a: [1] } }, { a: [1] }, { a: [1], b: 2 }],
  [{ $json: [1] }, "[1]", "[1,2]"],
  [{ $json: {} }, "{}", "no JSON"],
  [{ $has: { a: 1 } }, [2, { a: 1, b: 2 }], [2]],
  [{ $oneOf: [1, { $any: "string" }] }, "x", true],
  [null, null, undefined],
] as const)("%j fits the one and not the other", (pattern, right, wrong) => {
  expect(findPatternFault(pattern)).toBeUndefined();
  expect(differs(pattern, right)).toEqual([]);
  expect(differs({ m: pattern }, { m: wrong })).toEqual(["/m"]);
});

test("a mismatch names the expected and the seen value", () => {
  expect(mismatches({ a: { $any: "string" } }, { a: 1 }, words)).toEqual([
    { at: "/a", expected: "a string", seen: "1" },
  ]);
});

test.each([
  [{ $nope: 1 }, /^one of \$any, \$like, .* for \$nope$/],
  [{ a: [{ $toString: 1 }] }, / for \$toString$/],
  [{ $any: "text" }, /^\$any: one of anything, string/],
  [{ $like: 1 }, "$like: a text"],
  [{ $absent: false }, "$absent: true"],
  [{ $oneOf: [] }, "$oneOf: a list of patterns"],
  [{ $like: "x", other: 1 }, "nothing beside $like"],
] as const)("%j is not a pattern", (pattern, expected) => {
  expect(findPatternFault(pattern)).toEqual(
    expected instanceof RegExp ? expect.stringMatching(expected) : expected,
  );
});

test("a star matches any text, even an empty one, in linear time", () => {
  expect(["", "*", "**", "a*", "*a", "a*a"].map((like) => isLike(like, "a"))).toEqual([
    false,
    true,
    true,
    true,
    true,
    false,
  ]);
  expect(isLike("a*b*c", "a-c-b-c")).toBe(true);
  expect(isLike("a*b*c", "a-c-b")).toBe(false);
  const text = "a".repeat(1_000_000);
  const before = process.cpuUsage();
  expect(isLike(`${"a*".repeat(30)}b`, text)).toBe(false);
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(10_000);
});
