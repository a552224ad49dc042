import { join } from "node:path";
import type { Diagnostic, PosixPath } from "@idewire/core";
import { beforeEach, describe, expect, test } from "vitest";
import { useFolder } from "../../../../../tests/src/folder-fixture.ts";

const at = useFolder();
const { write } = at;

async function check(name: string, text: string): Promise<readonly Diagnostic[]> {
  await write(name, text);
  const files = await at.host.diagnostics?.(join(at.folder, name) as PosixPath);
  return files?.[0]?.diagnostics ?? [];
}

/** `line:character-line:character code`, 0-based. */
async function findings(name: string, text: string): Promise<readonly string[]> {
  return (await check(name, text)).map(({ range: { start, end }, code }) => {
    return `${start.line}:${start.character}-${end.line}:${end.character} ${code}`;
  });
}

describe("JSON", () => {
  test("has a diagnostic with range, source and message where a comma is missing", async () => {
    expect(await check("a.json", '{\r\n  "🌱": 1\r\n  "b": 2\r\n}')).toEqual([
      {
        source: "json",
        range: { start: { line: 2, character: 2 }, end: { line: 2, character: 5 } },
        severity: "error",
        message: "A comma is missing",
        code: "CommaExpected",
      },
    ]);
  });

  test.each([
    ["", "0:0-0:0 ValueExpected"],
    ["{} x", "0:3-0:4 InvalidSymbol"],
    ['{"a": 1,}', "0:8-0:9 PropertyNameExpected"],
    ["// c\n{}", "0:0-0:4 InvalidCommentToken"],
    ['["🌱", nul]', "0:7-0:10 InvalidSymbol"],
    ['\uFEFF["a" 1]', "0:5-0:6 CommaExpected"],
    ['{"a": "b', "0:6-0:8 UnexpectedEndOfString"],
  ])("%j has one problem, at its position", async (text, finding) => {
    expect((await findings("a.json", text))[0]).toBe(finding);
  });

  test("may have comments and trailing commas where those are usual", async () => {
    const text = '// c\n{"a": [1,],}';
    for (const name of ["a.jsonc", "tsconfig.build.json", ".vscode/settings.json"]) {
      expect(await findings(name, text)).toEqual([]);
    }
    expect(await findings("package.json", text)).not.toEqual([]);
  });

  test("of 100 levels is checked, and a deeper one is not, since parsers end the process", async () => {
    expect(await findings("a.json", "[".repeat(100) + "]".repeat(100))).toEqual([]);
    expect(await findings("a.json", "[".repeat(200_000))).toEqual(["0:100-0:101 too-deep"]);
    expect(await findings("a.json", `["${"[".repeat(200)}"]`)).toEqual([]);
  });
});

describe("YAML", () => {
  test("has its errors in every document, duplicate keys among them", async () => {
    const text = "a: 1\nä: {b: 1, b: 2}\n---\nc: 1\nc: 2\n<<: 1\n<<: 2\n";
    expect(await findings("a.yaml", text)).toEqual([
      "1:10-1:11 DUPLICATE_KEY",
      "4:0-4:1 DUPLICATE_KEY",
    ]);
  });

  test.each([
    ["a: [1, 2\nb: 1\n", "error"],
    ["a: *nowhere\n", "error"],
    ["a: 'x\n", "error"],
    ["a: !!int x\n", "warning"],
    ["\ta: 1\n", "error"],
  ])("%j has a problem of the right severity, with a range", async (text, severity) => {
    const [trouble] = await check("a.yml", text);
    expect(trouble).toMatchObject({ severity, source: "yaml" });
    expect(trouble?.range.end.line).toBeLessThanOrEqual(text.split("\n").length);
  });

  test.each([
    ["[".repeat(60_000), "0:100-0:101"],
    ['{"a": '.repeat(10_000), "0:600-0:601"],
    ["- ".repeat(30_000), "0:0-0:1"],
    ["? ".repeat(30_000), "0:0-0:1"],
    [Array.from({ length: 200 }, (_, at) => `${" ".repeat(at)}a:`).join("\n"), "100:0-100:1"],
  ])("that nests too deeply is not checked: %#", async (text, place) => {
    expect(await findings("a.yaml", text)).toEqual([`${place} too-deep`]);
  });

  test("in one long line is checked", async () => {
    const pairs = Array.from({ length: 300 }, (_, at) => `"k${at}": [${at}]`).join(", ");
    expect(await findings("a.yaml", `{${pairs}, "k7": 1}`)).toEqual([
      expect.stringMatching(/ DUPLICATE_KEY$/),
    ]);
  });

  test("without problems has none", async () => {
    expect(await findings("a.yml", "a: &x 1\nb: *x\n? [c]\n: d\n...\n---\n- 1\n")).toEqual([]);
  });
});

describe("Markdown links", () => {
  beforeEach(async () => {
    await write("b.md", "# Über Uns!\n\n# Twice\n\n# Twice\n\n<a id='mark'></a>\n");
    await write("with space (1).md", "Under\n=====\n");
    await write("data.json", "{}");
  });

  test.each([
    "[a](b.md) ![i](data.json) [d](./) [r](/b.md) [up](sub/../b.md)",
    "[a](b.md#über-uns) [c](b.md#%C3%BCber-uns) [o](b.md#Über%20Uns!) [2](b.md#twice-1)",
    "[m](b.md#mark) [s](<with space (1).md#under>) [p](with%20space%20%281%29.md?raw=1#under)",
    "[q](b.md?x#twice) [self](#here) [top](#) [t](#top) [e]() [blk](b.md#^id)\n\n# Here",
    "[u](https://a.example/x.md) [m](mailto:a@b.c) <https://a.example> [//](//host/x.md)",
    "[out](../../elsewhere.md) [any](data.json#part)",
    "`[a](no.md)` \\[a](no.md)\n\n```\n[a](no.md)\n```\n\n    [a](no.md)\n\n<!-- [a](no.md) -->",
    "[^1]: no.md\n\n- [ ] (no.md)",
  ])("that have a target, or are not links, cause no finding: %j", async (text) => {
    expect(await findings("a.md", text)).toEqual([]);
  });

  test.each([
    ["[a](no.md)", "0:4-0:9 missing-file"],
    ["🌱 [a](<no way.md> 'title')", "0:8-0:17 missing-file"],
    ["![🌱](no.png)", "0:6-0:12 missing-file"],
    ["text\r\n> - [a](no.md)", "1:8-1:13 missing-file"],
    ["[a][x]\n\n[x]: no.md#y", "2:5-2:12 missing-file"],
    ["[a](b.md#thrice)", "0:4-0:15 missing-heading"],
    ["[a](b.md#twice-2)", "0:4-0:16 missing-heading"],
    ["[a](#nope)", "0:4-0:9 missing-heading"],
    ["---\ntitle: here\n---\n[a](#title-here)", "3:4-3:15 missing-heading"],
    ["[![i](b.md)](no.md)", "0:13-0:18 missing-file"],
  ])("without a target are marked from end to end: %j", async (text, finding) => {
    expect(await findings("a.md", text)).toEqual([finding]);
  });

  test("name what is missing, and where", async () => {
    const troubles = await check("a.md", "[a](n%C3%B6.md) [b](b.md#no)");
    expect(troubles.map(({ message, severity }) => [severity, message])).toEqual([
      ["warning", 'The file "nö.md" does not exist'],
      ["warning", 'There is no heading "#no" in b.md'],
    ]);
  });

  test("are rechecked when their target is created, changed or deleted", async () => {
    const text = "[a](new.md#one)";
    expect(await findings("a.md", text)).toEqual(["0:4-0:14 missing-file"]);
    await write("new.md", "# Two");
    expect(await findings("a.md", text)).toEqual(["0:4-0:14 missing-heading"]);
    await at.host.edit(join(at.folder, "new.md") as PosixPath, "# One");
    expect(await findings("a.md", text)).toEqual([]);
  });
});
