import { Text } from "@codemirror/state";
import type { SyntaxNode, Tree } from "@lezer/common";
import { GFM, type MarkdownConfig, parser } from "@lezer/markdown";
import type { Loc, Pos } from "obsidian";
import { getFrontMatterInfo } from "./yaml.ts";

/** Obsidian's additions to inline Markdown: the pattern of each, and the text allowed before it. */
const added: Readonly<Record<string, { readonly pattern: RegExp; readonly after: RegExp }>> = {
  WikiLink: { pattern: /^!?\[\[[^[\]\n|]+(?:\|[^[\]\n]*)?\]\]/, after: /^/ },
  // A number is not a tag.
  Tag: {
    pattern: /^#(?!\d+(?![\p{L}\p{N}_/-]))[\p{L}\p{N}_/\-\p{Emoji_Presentation}]+/u,
    after: /^$|[\s,;.(]/,
  },
};

const obsidianText: MarkdownConfig = {
  defineNodes: Object.keys(added),
  parseInline: Object.entries(added).map(([name, { pattern, after }]) => ({
    name,
    before: "Link",
    parse(context, next, from) {
      if (!"!#[".includes(String.fromCharCode(next))) return -1;
      if (!after.test(context.slice(Math.max(from - 1, context.offset), from))) return -1;
      // No such element is longer, but a line may be.
      const [found] = pattern.exec(context.slice(from, Math.min(from + 500, context.end))) ?? [];
      if (found === undefined) return -1;
      return context.addElement(context.elt(name, from, from + found.length));
    },
  })),
};

const markdown = parser.configure([GFM, obsidianText]);

/** A note and its syntax tree, which does not cover the frontmatter. */
export class NoteTree {
  readonly text: string;
  readonly tree: Tree;
  /** Where the frontmatter ends, delimiters included; 0 without one. */
  readonly frontmatterEnd: number;
  readonly #lines: Text;

  constructor(text: string) {
    // The parser supports one kind of line ending; the replacement keeps all positions.
    this.text = text.replaceAll("\r\n", " \n");
    const { exists, contentStart } = getFrontMatterInfo(this.text);
    this.frontmatterEnd = exists ? this.text.slice(0, contentStart).trimEnd().length : 0;
    const blank = this.text.slice(0, this.frontmatterEnd).replace(/[^\n]/g, " ");
    this.tree = markdown.parse(blank + this.text.slice(this.frontmatterEnd));
    this.#lines = Text.of(this.text.split("\n"));
  }

  get blocks(): SyntaxNode[] {
    const blocks: SyntaxNode[] = [];
    const { topNode } = this.tree;
    for (let node = topNode.firstChild; node !== null; node = node.nextSibling) blocks.push(node);
    return blocks;
  }

  sourceOf({ from, to }: { readonly from: number; readonly to: number }): string {
    return this.text.slice(from, to);
  }

  positionOf({ from, to }: { readonly from: number; readonly to: number }): Pos {
    return { start: this.#locOf(from), end: this.#locOf(to) };
  }

  #locOf(offset: number): Loc {
    const { number, from } = this.#lines.lineAt(offset);
    return { line: number - 1, col: offset - from, offset };
  }
}
