import fc from "fast-check";
import MarkdownIt from "markdown-it";
import { expect, test } from "vitest";
import { makeInert, splitBlocks } from "./safe-markdown.ts";

fc.configureGlobal({ seed: Number(process.env["IDEWIRE_SEED"] ?? 20261123) });

/** Passes HTML through and loads images, as the app does. */
const parser = new MarkdownIt({ html: true, linkify: true, breaks: true });
const rendered = (text: string) => parser.render(makeInert(text));

const traps = [
  "![a](https://evil.example/a.png)",
  "\\![a](https://evil.example/a.png)",
  "\\\\![a](https://evil.example/a.png)",
  "![a][b]\n\n[b]: https://evil.example/a.png",
  "![!note](https://evil.example/a.png)",
  "![[Secret note]]",
  '<img src="https://evil.example/a.png">',
  '\\<img src="https://evil.example/a.png">',
  '<div style="background: url(https://evil.example/a.png)">x</div>',
  "<iframe src='https://evil.example'></iframe>",
  "<script>alert(1)</script>",
  "$$\\style{background: url(https://evil.example)}{x}$$",
  "```dataviewjs\nfetch('https://evil.example')\n```",
  "> ~~~ mermaid\n> x\n> ~~~",
  "- ```query\n  x\n  ```",
  "`$= fetch('https://evil.example')`",
  "``= this.file``",
  "text `\n= this.file`",
];

/** Elements that the app or a plugin would load or run. */
const LOADS = /<(?:img|iframe|script|style|video|audio|link|object|embed|svg|div|span)\b/i;
const RUNS = /class="language-|(?<!<pre>)<code>\s*\$?=/;

test.each(traps)("%j loads and runs nothing", (trap) => {
  expect(rendered(trap)).not.toMatch(LOADS);
  expect(rendered(trap)).not.toMatch(RUNS);
  expect(makeInert(trap)).not.toMatch(/[$<]|!\[/);
});

test("no combination of traps and Markdown loads or runs anything", () => {
  const part = fc.oneof(
    fc.constantFrom(...traps),
    fc.constantFrom("\\", "`", "``", "```", "~~~", "!", "[", "<", "$", "\n", "> ", "- ", "    "),
    fc.string({ maxLength: 4 }),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const html = rendered(parts.join(""));
      expect(html).not.toMatch(LOADS);
      expect(html).not.toMatch(RUNS);
    }),
    { numRuns: 500 },
  );
});

test("tables, links, callouts and tasks are unchanged", () => {
  const note = "| a | b |\n|---|---|\n| [[x\\|y]] | **z** |\n\n> [!warning] Careful\n> - [ ] one";
  expect(makeInert(note)).toBe(note);
  expect(rendered("[text](note.md) and [[Note#Part]]")).toContain('<a href="note.md">text</a>');
});

test("blocks end at empty lines outside code, and the properties are not a block", () => {
  const note =
    "---\na: 1\n---\n# Head\ntext\n\n\n```js\na\n\nb\n```\n\n> ~~~\n> x\n> ~~~\nlast\r\n\r\nend";
  expect(splitBlocks(note)).toEqual([
    "# Head\ntext",
    "```js\na\n\nb\n```",
    "> ~~~\n> x\n> ~~~\nlast",
    "end",
  ]);
  expect(splitBlocks("")).toEqual([]);
  expect(splitBlocks("- a\n\n  b\n\n- c\n\n    code\n\n%%\n\nd\n%%")).toEqual([
    "- a\n\n  b",
    "- c\n\n    code",
    "%%\n\nd\n%%",
  ]);
  expect(splitBlocks("\uFEFF---\na: 1\n---\nb")).toEqual(["b"]);
});
