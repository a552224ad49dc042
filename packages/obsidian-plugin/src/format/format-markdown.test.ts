import { describe, expect, test } from "vitest";
import { formatEdits, formatMarkdown } from "./format-markdown.ts";

describe("a formatted note", () => {
  test.each([
    ["spaces at the end of a paragraph", "one \ntwo  \n\nthree   \n", "one\ntwo\n\nthree\n"],
    ["white space in blank lines", "one\n \t\ntwo\n", "one\n\ntwo\n"],
    ["no end, or too many", "one", "one\n"],
    ["blank lines at the end", "one\n\n \n\n", "one\n"],
    ["a heading among text", "one\n# Two\nthree\n", "one\n\n# Two\n\nthree\n"],
    [
      "a block of code among text",
      "one\n```\ntwo\n```\nthree\n",
      "one\n\n```\ntwo\n```\n\nthree\n",
    ],
    ["a list after text", "one\n- two\n- three\n", "one\n\n- two\n- three\n"],
    ["bullets that differ", "- a\n    * b\n    * c\n", "- a\n    - b\n    - c\n"],
    ["CRLF", "one \r\n# Two", "one\r\n\r\n# Two\r\n"],
    [
      "a table",
      "|a|long word|\n|-|:-:|\n| 日本 | [[x\\|y]] |\n|1\n",
      "| a    | long word |\n| ---- | :-------: |\n| 日本 | [[x\\|y]]  |\n| 1    |\n",
    ],
  ])("has %s fixed", (_what, text, expected) => {
    expect(formatMarkdown(text)).toBe(expected);
  });

  test.each([
    ["frontmatter", "---\nkey: 1   \nlist:\n- a\n---\n# Heading\n"],
    ["hard breaks", "one  \ntwo   \nthree\n"],
    ["a space that an escape needs", "one\\ \ntwo\n"],
    ["code that spans lines", "`one \ntwo`\n"],
    ["blocks of code", "```\n one  \n\n\n\n# two\n```\n"],
    ["code without an end", "```\none  \n\n\n"],
    ["comments", "%%\none  \n# two\nthree\n- four\n%%\n"],
    ["math", "$$\none  \n# two\n$$\n"],
    ["HTML", "<div>\none  \n# two\n</div>\n"],
    ["footnotes", "[^1]: one\n    two  \n\n    # three\n"],
    ["callouts", "> [!note]- Title\n> # Heading\n> - one\n> ```\n> code\n> ```\n"],
    ["tight lists with headings in them", "- one\n  # two\n  three\n- four\n"],
    ["an empty item, task and heading", "- \n\n- [ ] \n\n# \n"],
    ["two lists that only their marks divide", "- one\n* two\n"],
    ["ids of blocks beside their block", "```\none\n```\n^id-1\n"],
    ["tables whose links cut their cells", "|a|b|\n|-|-|\n|[[one|two]]|\n"],
    ["tables in which pipes are hard to read", "|a|b|\n|-|-|\n|one\\\\|two|\n"],
    ["lone carriage returns", "one \rtwo  \r# three"],
    ["inline fields and tags", "key:: value\n[k:: v] #tag/sub (x:: y)\n"],
    ["nothing", ""],
    ["nothing but blank lines", "\n\n"],
  ])("keeps %s", (_what, text) => {
    expect(formatMarkdown(text)).toBe(text);
  });

  test("is made by small edits, so that cursors elsewhere stay in place", () => {
    expect(formatEdits("one \n\ntwo")).toEqual([
      { from: 3, to: 4, insert: "" },
      { from: 9, to: 9, insert: "\n" },
    ]);
  });

  test("takes time proportional to its length, whatever it contains", { timeout: 120_000 }, () => {
    const units = [
      "a\n-\n",
      "- ",
      "> ",
      "|a",
      "| a |\n|-|\n\n",
      "%%",
      "`a``b",
      "[^1]: ",
      "* + ",
      " \t",
    ];
    const wide = `|${"x".repeat(60_000)}|\n|-|\n${"|y|\n".repeat(20_000)}`;
    for (const unit of [...units, "$$\n", "a \n", " \n", "- \n", "# a\n", "|-", "\\", "[", "\t"]) {
      expectSwift(unit.repeat((128 * 1024) / unit.length), JSON.stringify(unit));
    }
    expectSwift(wide, "a wide table");
    expect(formatMarkdown(wide).length).toBeLessThan(wide.length * 2);
  });
});

function expectSwift(text: string, message: string): void {
  const before = performance.now();
  formatMarkdown(text);
  expect(performance.now() - before, message).toBeLessThan(15_000);
}
