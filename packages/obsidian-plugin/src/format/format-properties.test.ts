import fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { describe, expect, test } from "vitest";
import { formatMarkdown } from "./format-markdown.ts";

const numRuns = Number(process.env["IDEWIRE_RUNS"] ?? 600);
const seed = Number(process.env["IDEWIRE_SEED"] ?? 20261122);

/** What the complete parser of CommonMark and GitHub's extensions makes of a text. */
function structureOf(text: string): string {
  const body = text
    .replace(/^---[ \t]*\r?\n(?:[\s\S]*?\r?\n)?(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/, "")
    .replaceAll("\r\n", "\n");
  const extensions = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] };
  return JSON.stringify(fromMarkdown(body, extensions), function (this: Node, key, value) {
    // At the end of a text micromark takes blank lines for code, which CommonMark does not.
    const isIndented = this.type === "code" && !/[`~]/.test(body[this.position.start.offset] ?? "");
    if (key === "value" && isIndented) return String(value).replace(/\n\s*$/, "");
    // That a text ends by a line end is the formatter's work, and of no meaning.
    if (key === "value" && this.type === "html") return String(value).replace(/\n$/, "");
    return key === "position" ? undefined : value;
  });
}

interface Node {
  readonly type: string;
  readonly position: { readonly start: { readonly offset: number } };
}

const CONSTRUCTS =
  /!?\[\[[^\]\n]*\]\]|%%|==[^=\n]+==|\^[\w-]+|#[\w/-]+|\$\$?|\[\^[^\]\s]+\]:?|\[![\w-]+\][+-]?|\w+::|<\/?\w+>|\[.\]/g;

function constructsOf(text: string): readonly string[] {
  return [...(text.match(CONSTRUCTS) ?? [])].sort();
}

const WORDS = [
  "word",
  "two words",
  "**bold**",
  "*it*",
  "`code`",
  "`a  ",
  "`",
  "[[Note]]",
  "![[Pic.png|100]]",
  "[[A#B|c]]",
  "==mark==",
  "#tag",
  "^block-1",
  "$x$",
  "$$",
  "%%",
  "%%gone%%",
  "[^1]",
  "key:: value",
  "[k:: v]",
  "<b>x</b>",
  "<a",
  "[text](b.md)",
  "[t](b 'x",
  "[",
  "]",
  "(",
  ")",
  "\\",
  "\\|",
  "|",
  "ä",
  "日本",
  "👩‍👩‍👧",
  "- - -",
  "***",
  "\u00a0",
  "~~x~~",
  "https://a.example",
  "![alt](",
  '"',
  "'",
];
const STARTS = [
  "",
  "",
  "",
  "",
  "# ",
  "## ",
  "- ",
  "* ",
  "+ ",
  "1. ",
  "2) ",
  "> ",
  "> [!note]- ",
  "    ",
  "\t",
  "  ",
  "  - ",
  "\t- ",
  "    * ",
  "- [ ] ",
  "- [x] ",
  "> - ",
  "- > ",
  "[^1]: ",
  "[^n]: ",
  "[a]: ",
  "| ",
  "|",
  "   ",
  "-",
  "#",
  "- - ",
];
const LINES = [
  "",
  "",
  "",
  " ",
  "  ",
  "\t",
  "```",
  "```js",
  "~~~",
  "---",
  "===",
  "***",
  "%%",
  "$$",
  "<div>",
  "</div>",
  "<!--",
  "-->",
  "| a | b |",
  "|a|b|",
  "| --- | :-: |",
  "|-|-|",
  "| [[x\\|y]] | c  |",
  "|日本|",
  "^id-1",
  "- ",
  "*",
  "1.",
  ">",
  "> ",
  "- [ ] ",
  "# ",
  "# a #  ",
  "> | a | b |",
  "> | - | - |",
  "    code  ",
  "      ",
  "- * *",
];

const line = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...LINES) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.constantFrom(...STARTS),
        fc.array(fc.constantFrom(...WORDS), { minLength: 0, maxLength: 4 }),
        fc.constantFrom(" ", "", "  "),
        fc.constantFrom("", "", "", " ", "  ", "   ", "\t", " \t", "\\", "\\ "),
      )
      .map(([start, words, between, tail]) => `${start}${words.join(between)}${tail}`),
  },
);
const note = fc
  .tuple(
    fc.constantFrom("", "", "", "---\na: 1  \nb:\n  - x\n---\n"),
    fc.array(line, { maxLength: 12 }),
    fc.constantFrom("\n", "\n", "\n", "\r\n"),
    fc.constantFrom("", "\n", "\n\n\n", "\n  \n"),
  )
  .map(([matter, lines, eol, end]) => matter + lines.join(eol) + end.replaceAll("\n", eol));

describe("formatting a note", () => {
  test("does not change how it renders", { timeout: 900_000 }, () => {
    fc.assert(
      fc.property(note, (text) => {
        expect(structureOf(formatMarkdown(text))).toBe(structureOf(text));
      }),
      { numRuns, seed },
    );
  });

  test("twice is the same as once", { timeout: 900_000 }, () => {
    fc.assert(
      fc.property(fc.oneof(note, fc.string({ unit: "binary" })), (text) => {
        const once = formatMarkdown(text);
        expect(formatMarkdown(once)).toBe(once);
      }),
      { numRuns, seed },
    );
  });

  test("keeps every construct of Obsidian, and every other character", { timeout: 900_000 }, () => {
    fc.assert(
      fc.property(note, (text) => {
        const formatted = formatMarkdown(text);
        expect(constructsOf(formatted)).toEqual(constructsOf(text));
        expect(inkOf(formatted)).toBe(inkOf(text));
      }),
      { numRuns, seed },
    );
  });
});

/** All but white space, the marks of bullets, and what makes a table. */
function inkOf(text: string): string {
  return text.replace(/[\s|:-]/g, "").replace(/[*+]/g, "");
}
