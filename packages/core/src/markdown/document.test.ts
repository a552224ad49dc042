import { fromMarkdown } from "mdast-util-from-markdown";
import { describe, expect, test } from "vitest";
import { parseMarkdown } from "./document.ts";

type Root = ReturnType<typeof fromMarkdown>;
interface Node {
  readonly type: string;
  readonly url?: string;
  readonly value?: string;
  readonly children?: readonly Node[];
}

/** The results of the complete CommonMark parser: places of destinations, and texts of headings. */
function oracle(text: string): { targets: string[]; headings: string[] } {
  const targets: { start: number; end: number }[] = [];
  const record = (token: { start: { offset: number }; end: { offset: number } }) => {
    targets.push({ start: token.start.offset, end: token.end.offset });
  };
  const root: Root = fromMarkdown(text, {
    mdastExtensions: [
      {
        enter: {
          resourceDestinationString(token) {
            record(token);
            this.buffer();
          },
          definitionDestinationString(token) {
            record(token);
            this.buffer();
          },
        },
      },
    ],
  });
  const headings: string[] = [];
  collectHeadings(root as Node, headings);
  targets.sort((a, b) => a.start - b.start);
  return { targets: targets.map(({ start, end }) => text.slice(start, end)), headings };
}

function collectHeadings(node: Node, headings: string[]): void {
  if (node.type === "heading") headings.push(squeeze(words(node)));
  else for (const child of node.children ?? []) collectHeadings(child, headings);
}

function words(node: Node): string {
  if (node.type === "text" || node.type === "inlineCode") return node.value ?? "";
  if (node.type === "break") return " ";
  return (node.children ?? []).map(words).join("");
}

function squeeze(text: string): string {
  return text.replaceAll("*", "").replace(/\s+/g, " ").trim();
}

function ours(text: string): { targets: string[]; headings: string[] } {
  const { targets, headings } = parseMarkdown(text);
  return {
    targets: targets.map(({ start, end }) => text.slice(start, end)),
    headings: headings.map(squeeze),
  };
}

const MEBIBYTE = 2 ** 20;

const CHUNKS =
  '[ ] ( ) ! ` `` < > \\ _ word b.md "t" [a](b) ![a](b) [a] [c][a] x<b> x</b> &amp; <!-- -->'.split(
    " ",
  );
const LINE_STARTS = ["", "", "", "# ", "- ", "> ", "1. ", "    ", "  ", "\t", "+ ", "> - "];
const WHOLE_LINES = ["", "```", "~~~", "---", "===", "[a]: b", "<div>", "<!--", "-->", "***"];

/**
 * Front matter is not Markdown, and micromark lets a title in parentheses contain more of them. For lezer an
 * indented line after a definition is code, declarations such as `<!DOCTYPE` must be in capitals, and the mark
 * of a quote may be indented as far as code.
 */
function isKnownDifference(text: string): boolean {
  const indented = /\[a\]: b\r?\n[> ]*(?: {4}|\t)|^[> ]*(?: {4}|\t)[ \t]*>/m;
  return /^---|\[a\]: b\s+\(|<![a-z]/.test(text) || indented.test(text);
}

function randomText(random: () => number): string {
  const pick = (from: readonly string[]) => from[Math.floor(random() * from.length)] ?? "";
  const line = () => {
    const rest = Array.from({ length: 1 + Math.floor(random() * 6) }, () => pick(CHUNKS));
    return random() < 0.3 ? pick(WHOLE_LINES) : pick(LINE_STARTS) + rest.join(pick(["", " "]));
  };
  return Array.from({ length: 1 + Math.floor(random() * 6) }, line).join(pick(["\n", "\r\n"]));
}

/** Mulberry32: the same numbers for the same seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The CPU time for a text of one unit, repeated to a length. */
function cpuMsOf(unit: string, length: number): number {
  const text = unit.repeat(length / unit.length);
  const before = process.cpuUsage();
  parseMarkdown(text);
  return process.cpuUsage(before).user / 1_000;
}

describe("a Markdown text", () => {
  test("has the destinations that the reference parser finds", { timeout: 600_000 }, () => {
    const seed = Number(process.env["IDEWIRE_SEED"] ?? 20261121);
    const random = seeded(seed);
    for (let run = 0; run < Number(process.env["IDEWIRE_RUNS"] ?? 800); run++) {
      const text = randomText(random);
      if (isKnownDifference(text)) continue;
      const message = `seed ${seed}: ${JSON.stringify(text)}`;
      expect(ours(text).targets, message).toEqual(oracle(text).targets);
    }
  });

  test.each([
    "# Plain",
    "# With `code_of_mine` and __strong__ _words_ and snake_case",
    "# A [link](b.md) and an ![image](c.png) here",
    "# Closed ##",
    "# Escaped \\_ \\& and &amp; &#33; &#x21;",
    "Underlined\n---",
    "Two lines\nunderlined\n===",
    "> # In a quote",
    "- # In a list",
    "# <b>Bold</b> <https://a.example>",
    "[a]: b\nA *word*\n---",
    "#not one",
    "```\n# code\n```",
    "    # code too",
  ])("has the headings that CommonMark's complete parser finds: %j", (text) => {
    expect(ours(text).headings).toEqual(oracle(text).headings);
  });

  test("is parsed in linear time, whatever it contains", { timeout: 120_000 }, () => {
    const inlines = ["![", "[a](", "[a](<b", "[a](b (", "`a``b", "*a_ ", "a* ", "\\a"];
    const literals = ["<!-- ", "<?", "<a b='", "<a:b", "a    ", "[a\n", "[a]: b (\n", "> [a]\n"];
    const blocks = ["> ", "- ", "a\n-\n", "> \\a\n", "1. ", `${">".repeat(500)}\n`, "[a]: b\n"];
    const regions = ["$a", "@[a", "{{", "{{< a ", "{% raw %}", "$$ `a` ", "\\\\["];
    for (const unit of [...inlines, ...literals, ...blocks, ...regions]) {
      // It takes at most 0.3 s of CPU time; the parser's own rules take minutes for some of these.
      expect(cpuMsOf(unit, MEBIBYTE / 8), JSON.stringify(unit)).toBeLessThan(5_000);
    }
    for (const unit of ["[", ">", "`"]) {
      expect(cpuMsOf(unit, MEBIBYTE), JSON.stringify(unit)).toBeLessThan(5_000);
    }
  });

  test("is parsed in linear time, however many different regions it opens", () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `\\begin{a${index}} {{< b${index} `);
    const start = process.cpuUsage();
    parseMarkdown(names.join(""));
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(5_000);
  });

  test.each([
    ["brackets", `${"[".repeat(MEBIBYTE / 2)}${"]".repeat(MEBIBYTE / 2)}`],
    ["images in images", `${"![".repeat(100_000)}${"](a)".repeat(100_000)}`],
    ["emphasis", `${"*a ".repeat(100_000)}${"a* ".repeat(100_000)}`],
    ["quotes, lists and code", `${"> - ".repeat(100_000)}\`\`\`\n${"> ".repeat(100_000)}[a](b)`],
  ])("may nest %s to any depth", (_what, text) => {
    expect(() => parseMarkdown(text)).not.toThrow();
  });

  test("has the ids of HTML tags, in blocks and inline", () => {
    const text =
      '<div id="one">\n</div>\n\na <a name=\'two\'></a> b <i id=three>c</i> `<a id="four">`';
    expect(parseMarkdown(text).ids).toEqual(["one", "two", "three"]);
  });

  test("has the offsets of destinations among quotes, tabs and CRLF", () => {
    const text = "> - x\r\n>\t[a](\r\n> \t <b c.md> 'T')\r\n";
    const [target] = parseMarkdown(text).targets;
    expect(target?.url).toBe("b c.md");
    expect(text.slice(target?.start, target?.end)).toBe("b c.md");
  });
});
