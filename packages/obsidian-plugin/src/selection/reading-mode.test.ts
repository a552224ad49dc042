// @vitest-environment jsdom
import type { MarkdownPostProcessorContext } from "obsidian";
import { afterEach, describe, expect, test } from "vitest";
import { RenderedSections, selectionOfRendered } from "./reading-mode.ts";
import { renderText } from "./rendered-text.ts";

afterEach(() => document.body.replaceChildren());

const file = { path: "note.md" };

interface Rendered {
  readonly html: string;
  /** First and last line; absent if Obsidian does not report them. */
  readonly lines?: readonly [number, number];
}

function render(source: string, parts: readonly Rendered[]) {
  const sections = new RenderedSections();
  const container = document.body.appendChild(document.createElement("div"));
  const elements = parts.map(({ html, lines }) => {
    const element = container.appendChild(document.createElement("div"));
    element.innerHTML = html;
    const info = lines && { text: source, lineStart: lines[0], lineEnd: lines[1] };
    sections.add(element, {
      getSectionInfo: () => info ?? null,
    } as unknown as MarkdownPostProcessorContext);
    return element;
  });
  const select = (from: readonly [Node, number], to: readonly [Node, number]) => {
    const selection = document.getSelection() as Selection;
    selection.setBaseAndExtent(from[0], from[1], to[0], to[1]);
    return selectionOfRendered(selection, container, { sections, file, origin: container });
  };
  return { elements, select };
}

/** The text node that contains a text, and the offset in it. */
function find(root: Element, text: string, offset = 0): readonly [Node, number] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const index = node.nodeValue?.indexOf(text) ?? -1;
    if (index >= 0) return [node, index + offset];
  }
  throw new Error(`no ${text}`);
}

describe("a selection in reading mode", () => {
  const source = "Some **bold** and [a link](http://x) and bold.\n\n- one\n- `two` [[Note|three]]";
  const parts = [
    { html: "<p>Some <strong>bold</strong> and <a>a link</a> and bold.</p>", lines: [0, 0] },
    { html: "<ul>\n<li>one</li>\n<li><code>two</code> <a>three</a></li>\n</ul>", lines: [2, 3] },
  ] as const;

  test("is the exact range of its source, also for a word that occurs twice", () => {
    const { elements, select } = render(source, parts);
    const [paragraph] = elements as Element[] as [Element];
    const second = find(paragraph, "and bold", 4);
    expect(select(second, [second[0], second[1] + 4]).read().ranges).toEqual([
      { start: { line: 0, character: 41 }, end: { line: 0, character: 45 }, text: "bold" },
    ]);
  });

  test("may span sections, with the markup between", () => {
    const { elements, select } = render(source, parts);
    const [paragraph, list] = elements as Element[] as [Element, Element];
    const selected = select(find(paragraph, "a link"), find(list, "three", 5));
    expect(selected.read().ranges).toEqual([
      {
        start: { line: 0, character: 19 },
        end: { line: 3, character: 20 },
        text: "a link](http://x) and bold.\n\n- one\n- `two` [[Note|three",
      },
    ]);
  });

  test("is whole lines if the source does not match the rendered text", () => {
    const { elements, select } = render("See $x^2$ here\nand there\n\nEnd", [
      { html: "<p>See x² here and there</p>", lines: [0, 1] },
    ]);
    const [paragraph] = elements as Element[] as [Element];
    expect(select(find(paragraph, "here"), find(paragraph, "here", 4)).read().ranges).toEqual([
      {
        start: { line: 0, character: 0 },
        end: { line: 1, character: 9 },
        text: "See $x^2$ here\nand there",
      },
    ]);
  });

  test("is just the note if Obsidian does not know the lines, and for a click", () => {
    const { elements, select } = render(source, [{ html: "<p>embedded</p>" }]);
    const [paragraph] = elements as Element[] as [Element];
    const selected = select(find(paragraph, "embedded"), find(paragraph, "embedded", 4));
    expect(selected.isSelected).toBe(false);
    const { elements: known, select: click } = render(source, parts);
    const place = find(known[0] as Element, "Some", 2);
    expect(click(place, place).isSelected).toBe(false);
  });
});

describe("the text that Markdown shows", () => {
  test.each([
    ["# Heading #", "Heading"],
    ["> [!note] My *title*\n> text", "Mytitletext"],
    ["- [x] done ^id", "done"],
    ["1. first\n   - second", "firstsecond"],
    ["a_b_c and _em_", "a_b_candem"],
    ["\\*no\\* &amp; ==yes== ~~gone~~", "*no*&yesgone"],
    ["| a | b\\|c |\n|---|:-:|\n| d | e |", "ab|cde"],
    ["```js\nlet a = `x`;\n```", "leta=`x`;"],
    ["text %%comment%% <b>html</b> <!-- x --> <https://x.y>", "texthtmlhttps://x.y"],
    ['[[Note]] [[Note|alias]] [t *e* xt](u "title") ![[embed]]', "Notealiastext"],
    ["`` a`b `` and `*`", "a`band*"],
    ["---", ""],
    ["<div>\nin <b>HTML</b>\n</div>", "inHTML"],
    ["Underlined\n===", "Underlined"],
  ])("of %j is %j", (source, text) => {
    const rendered = renderText(source);
    expect(rendered.text).toBe(text);
    for (const [index, start] of rendered.starts.entries()) {
      const end = rendered.ends[index] ?? 0;
      const piece = source.slice(start, end);
      expect(piece === rendered.text[index] || /^&\w+;$/.test(piece)).toBe(true);
    }
  });

  test("of hostile markup takes no noticeable time", () => {
    const before = process.cpuUsage();
    for (const text of ["`", "[", "[[", "*_", "<!--", "%%", "&", "![", "\\", "|", "[a](", "(((("]) {
      renderText(text.repeat(20_000 / text.length));
    }
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(10_000);
  });
});
