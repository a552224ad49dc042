import { expect, test } from "vitest";
import { formatJunit } from "./junit.ts";

test("a report counts its outcomes and escapes its texts", () => {
  const body = '<b>"a" & b</b>\u0000\ud800';
  const report = formatJunit({
    name: "a & b",
    ms: 1_500,
    cases: [
      { group: "g", name: "<one>", ms: 1, outcome: { kind: "passed" } },
      { group: "g", name: "two", ms: 2, outcome: { kind: "skipped" } },
      { group: "g", name: "three", ms: 3, outcome: { kind: "skipped", message: "why" } },
      { group: "g", name: "four", ms: 4, outcome: { kind: "failed", message: '"', body } },
    ],
  });
  expect(report.split("\n").slice(1, -3)).toEqual([
    '<testsuites tests="4" failures="1" skipped="2" time="1.500">',
    '  <testsuite name="a &amp; b" tests="4" failures="1" skipped="2" errors="0" time="1.500">',
    '    <testcase classname="g" name="&lt;one&gt;" time="0.001"/>',
    '    <testcase classname="g" name="two" time="0.002"><skipped/></testcase>',
    '    <testcase classname="g" name="three" time="0.003"><skipped message="why"/></testcase>',
    '    <testcase classname="g" name="four" time="0.004"><failure message="&quot;">' +
      "&lt;b&gt;&quot;a&quot; &amp; b&lt;/b&gt;\ufffd\ufffd</failure></testcase>",
  ]);
});
