import { describe, expect, test } from "vitest";
import { obsidian } from "./obsidian.ts";
import { parseTree } from "./parser.ts";
import { tables } from "./tables.ts";

const NAMES =
  /^(?:WikiLink|Footnote\w+|BlockId|NoteComment|Math|NoteCommentBlock|MathBlock|FrontMatter|Link|Table)$/;

/** The nodes of Obsidian's syntax, and links, each with its text. */
function nodesOf(text: string): readonly string[] {
  const nodes: string[] = [];
  parseTree(text, [obsidian, tables]).iterate({
    enter: ({ name, from, to }) => {
      if (NAMES.test(name)) nodes.push(`${name} ${text.slice(from, to)}`);
    },
  });
  return nodes;
}

describe("Obsidian's Markdown", () => {
  test.each([
    [
      "a [[Note#Part|shown]] and ![[b.png]]",
      ["WikiLink [[Note#Part|shown]]", "WikiLink ![[b.png]]"],
    ],
    ["`[[a]]` \\[[b]] [[c]](d)", ["WikiLink [[c]]"]],
    ["words ^id-1", ["BlockId ^id-1"]],
    ["> quote\n> ^id", ["BlockId ^id"]],
    ["2^10 ^no id", []],
    ["a[^1]\n\n[^1]: b", ["FootnoteReference [^1]", "FootnoteLabel [^1]"]],
    ["%%a%% $b$ 5$ or 6$", ["NoteComment %%a%%", "Math $b$"]],
    [
      "%%\n# a\n\n[[b]]\n%% [[c]]",
      ["NoteCommentBlock %%\n# a\n\n[[b]]\n%% [[c]]", "WikiLink [[c]]"],
    ],
    ["a\n$$\nb\n$$\n[[c]]", ["MathBlock $$\nb\n$$", "WikiLink [[c]]"]],
    ["---\na: 1\n---\n[b](c)", ["FrontMatter ---\na: 1\n---", "Link [b](c)"]],
    ["---\r\na: 1\r\n---\r\n[[b]]", ["FrontMatter ---\r\na: 1\r\n---", "WikiLink [[b]]"]],
    ["---\nnot closed", []],
    ["| a |\n|---|\n| [b](c) |", ["Table | a |\n|---|\n| [b](c) |", "Link [b](c)"]],
  ])("%j has nodes of its own", (text, expected) => {
    expect(nodesOf(text)).toEqual(expected);
  });

  test("is parsed in linear time, whatever it contains", { timeout: 120_000 }, () => {
    const units = ["[[a", "%%", "% %%a", "$", "$$ ", "$a ", "[^a", "[^a]: ", "^a ", "^a", "a|b\n"];
    for (const unit of [...units, "%%\n", "$$\na\n", `a|b\n${" ".repeat(2_000)}x\n`]) {
      const before = process.cpuUsage();
      parseTree(unit.repeat(2 ** 17 / unit.length), [obsidian, tables]);
      const { user } = process.cpuUsage(before);
      // It takes at most 0.2 s of CPU time.
      expect(user / 1_000, JSON.stringify(unit.slice(0, 9))).toBeLessThan(5_000);
    }
  });
});
