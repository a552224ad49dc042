import { expect, test } from "vitest";
import { createUriMatcher } from "./uri-template.ts";

test.each([
  ["file:///a", "file:///a", {}],
  ["file:///{name}", "file:///b%20c", { name: "b c" }],
  ["note://{folder}/{name}.md", "note://x/y.md", { folder: "x", name: "y" }],
  ["file:///{+path}", "file:///a/b/c.ts?d#e", { path: "a/b/c.ts?d#e" }],
  ["x:{+a}-{b}", "x:1-2-3", { a: "1-2", b: "3" }],
  ["x:(.*)/{a}", "x:(.*)/1", { a: "1" }],
])("%s reads %s as %j", (template, uri, variables) => {
  expect(createUriMatcher(template)(uri)).toEqual(variables);
});

test.each([
  ["file:///a", "file:///a/b"],
  ["file:///{name}", "file:///a/b"],
  ["file:///{name}", "file:///"],
  ["file:///{name}", "file:///a?b"],
  ["file:///{name}", "http://x"],
  ["file:///{name}", "file:///%"],
  ["x:{a}!", "x:a"],
  ["x:{a}-{b}", "x:a"],
  ["x:{a}-{b}", "x:-b"],
  ["x:{+a}/{b}", "x:/b"],
  ["x:{a}", "y:{a}"],
])("%s does not match %s", (template, uri) => {
  expect(createUriMatcher(template)(uri)).toBe(undefined);
});

test.each(["x:{?q}", "x:{/a}", "x:{a,b}", "x:{a*}", "x:{}", "x:{a}{b}", "x:{a}/{a}"])(
  "the template %s is refused when it is created",
  (template) => {
    expect(() => createUriMatcher(template)).toThrow(
      expect.objectContaining({ code: "invalid-argument" }),
    );
  },
);

test("a URI that almost matches takes linear time", () => {
  const match = createUriMatcher("x:{+a}/{+b}/{c}-{d}!");
  const before = process.cpuUsage();
  expect(match(`x:${"/-".repeat(1_000_000)}`)).toBe(undefined);
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(10_000);
});
