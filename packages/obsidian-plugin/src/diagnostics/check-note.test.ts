import { describe, expect, test } from "vitest";
import { checkNote } from "./check-note.ts";
import type { LinkTargets } from "./link-check.ts";
import { scanNote } from "./note-scan.ts";

/** A vault of three notes: `Other` with two headings of one name, `sub/Deep`, and one hidden. */
const targets: LinkTargets = {
  parse: (link) => {
    const hash = link.indexOf("#");
    return hash === -1
      ? { path: link, subpath: "" }
      : { path: link.slice(0, hash), subpath: link.slice(hash) };
  },
  find: (path, from) => {
    if (path === "") return { path: from, others: 0 };
    const known: Record<string, string> = {
      other: "Other.md",
      "sub/deep": "sub/Deep.md",
      secret: "Secret.md",
      twice: "a/Twice.md",
    };
    const found = known[path.toLowerCase().replace(/\.md$/, "")];
    if (found === undefined) return undefined;
    return { path: found, others: found.includes("Twice") ? 1 : 0 };
  },
  isHidden: (path) => path === "Secret.md",
  subpath: (_path, subpath) => {
    if (subpath === "#Twice") return "several";
    return subpath === "#There" || subpath === "#^there" ? "one" : "none";
  },
};

function parseYaml(yaml: string): unknown {
  if (yaml.includes("{{")) {
    throw Object.assign(new Error("secret words"), { linePos: [{ line: 2, col: 1 }] });
  }
  return yaml.includes("tags: one") ? { tags: "one" } : {};
}

/** `line:character-line:character severity code`, 0-based. */
function found(text: string): readonly string[] {
  const checks = { targets, parseYaml };
  return checkNote({ path: "Note.md", text, scan: scanNote(text) }, checks).map(
    ({ range: { start, end }, severity, code }) =>
      `${start.line}:${start.character}-${end.line}:${end.character} ${severity} ${code}`,
  );
}

describe("a note", () => {
  test.each([
    ["a link to no note", "a\nb [[Nowhere|x]] c", ["1:2-1:15 warning missing-note"]],
    ["an embed of no file", "![[none.png|100]]", ["0:0-0:17 error missing-embed"]],
    ["a Markdown link to no note", "[a](No%20where.md)", ["0:0-0:18 warning missing-note"]],
    [
      "a link in the properties",
      '---\nup: "[[Nowhere]]"\n---\n',
      ["1:5-1:16 warning missing-note"],
    ],
    ["a heading that is not there", "[[Other#None]]", ["0:0-0:14 warning missing-heading"]],
    ["a block that is not there", "[[#^none]]", ["0:0-0:10 warning missing-block"]],
    ["a heading that is there twice", "[[Other#Twice]]", ["0:0-0:15 information repeated-heading"]],
    ["a name that two files have", "[[Twice]]", ["0:0-0:9 information ambiguous-link"]],
    ["capitals that differ", "[a](sub/deep.md)", ["0:0-0:16 information other-capitals"]],
    ["an id that two blocks have", "a ^x\n\nb ^X", ["2:2-2:4 warning repeated-block"]],
    ["a property that is there twice", "---\na: 1\na: 2\n---", ["2:0-2:1 error repeated-property"]],
    ["tabs in the properties", "---\na:\n\t- b\n---", ["2:0-2:1 error tab-in-properties"]],
    ["properties that are no YAML", "---\na: 1\nb: {{x\n---", ["2:0-2:6 error invalid-properties"]],
    ["tags that are no list", "---\ntags: one\n---", ["1:0-1:4 information property-is-no-list"]],
    ["code without an end", "a\n```js\nb [[Nowhere]]", ["1:0-1:5 warning unclosed-code"]],
    ["code that ends with its list", "- ```\n  a\n\nb", ["0:2-0:5 warning unclosed-code"]],
    [
      "a comment without an end",
      "a\n\n%% [[Nowhere]]\n\n# b",
      ["2:0-2:2 warning unclosed-comment"],
    ],
    ["a formula without an end", "$$\nx", ["0:0-0:2 warning unclosed-math"]],
    [
      "a footnote that is not there",
      "a[^1] b[^2]\n\n[^1]: x",
      ["0:7-0:11 information missing-footnote"],
    ],
    ["places behind umlauts and emoji", "ä👩 [[Nowhere]]\r\n", ["0:4-0:15 warning missing-note"]],
  ])("with %s has a finding", (_what, text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  test.each([
    "[[Other]] [[other]] [[#There]] [[Other#^there]] [[Other.md#There|x]]",
    "[a](https://a.example) [b](mailto:a@b) [c](//a.example) [d](obsidian://open)",
    "`[[Nowhere]]` \\[[Nowhere]] ``a [[Nowhere]] ` b``",
    "```\n[[Nowhere]] [^1] ^x\n```\n\n    [[Nowhere]]",
    "%% [[Nowhere]] %%\n\n%%\n[[Nowhere]]\n\n```\n%%\n",
    "$$\n[[Nowhere]] %%\n$$\n\n$a [[b]]$ and 5$ or 6$",
    "<!-- [[Nowhere]] -->\n\n<div>\n[[Nowhere]]\n</div>",
    "100%% sure, US$$ 5, ^not-an-id in the middle",
    "| a |\n| - |\n| [[Other\\|x]] |",
    "---\ntext: |\n\ta: 1\n\ta: 2\n---\n",
    "[[Secret#Whatever]] [[secret]]",
    "- [ ] [x](Other.md)\n- [x] a[^a]\n\n[^a]: b",
    "[[]] [](<>) ![[]] [[#]]",
    "",
  ])("without mistakes has no findings: %j", (text) => {
    expect(found(text)).toEqual([]);
  });

  test("is never quoted in findings about its properties", () => {
    const text = "---\na: 1\nb: {{secret\n---";
    const checks = { targets, parseYaml };
    const [only] = checkNote({ path: "Note.md", text, scan: scanNote(text) }, checks);
    expect(only?.message).not.toContain("secret");
  });

  test("has no more than a hundred findings", () => {
    expect(found("[[Nowhere]] ".repeat(1_000))).toHaveLength(100);
  });

  test("is checked in time proportional to its length, whatever it contains", {
    timeout: 120_000,
  }, () => {
    const units = [
      "[[a",
      "[[a]]",
      "%%",
      "$",
      "$$ ",
      "$a ",
      "[^a",
      "[^a]: ",
      "[a](",
      "![",
      "^a ",
      "`a``",
      "<!--",
    ];
    for (const unit of [...units, "a: b\n", "---\n", "```\n", "- > ", "\\"]) {
      const text =
        `---\n${unit}`.slice(unit === "a: b\n" ? 0 : 4) + unit.repeat((128 * 1024) / unit.length);
      const before = process.cpuUsage();
      found(text);
      // It takes 0.2 s at most on an idle machine.
      expect(process.cpuUsage(before).user / 1_000, JSON.stringify(unit)).toBeLessThan(15_000);
    }
  });
});
