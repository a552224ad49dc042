import type { MarkdownConfig } from "@lezer/markdown";

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n(?:[\s\S]*?\n)?(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;

/** The YAML block at the start of a text, as a block of its own. */
export function frontMatter(text: string): MarkdownConfig {
  const length = FRONT_MATTER.exec(text)?.[0].trimEnd().length ?? 0;
  return {
    defineNodes: [{ name: "FrontMatter", block: true }],
    parseBlock: [
      {
        name: "FrontMatter",
        before: "LinkReference",
        parse(cx) {
          if (cx.lineStart > 0 || length === 0) return false;
          while (cx.lineStart < length && cx.nextLine());
          cx.addElement(cx.elt("FrontMatter", 0, length));
          return true;
        },
      },
    ],
  };
}
