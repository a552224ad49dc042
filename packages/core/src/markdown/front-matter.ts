import type { BlockContext, Line, MarkdownConfig } from "@lezer/markdown";

const FRONT_MATTER =
  /^\uFEFF?(?:---[ \t]*\r?\n(?:[\s\S]*?\n)?(?:---|\.\.\.)|\+\+\+[ \t]*\r?\n(?:[\s\S]*?\n)?\+\+\+)[ \t]*(?:\r?\n|$)/;

const FENCE = /^(?:---|\.\.\.)[ \t]*$/;

/**
 * The YAML block at the start of a text, or the TOML block of Hugo, as a block of its own. Without the text, as in
 * an editor, YAML alone is one, before it is closed.
 */
export function frontMatter(text?: string): MarkdownConfig {
  const length = text === undefined ? undefined : lengthIn(text);
  return {
    defineNodes: [{ name: "FrontMatter", block: true }],
    parseBlock: [
      {
        name: "FrontMatter",
        before: "LinkReference",
        parse(cx, line) {
          const isFence = length !== undefined || line.text.startsWith("---", line.pos);
          if (cx.lineStart > 0 || length === 0 || !isFence) return false;
          while (cx.nextLine() && !isEnd(cx, line, length));
          const end = length ?? cx.lineStart + line.text.length;
          cx.nextLine();
          cx.addElement(cx.elt("FrontMatter", 0, end));
          return true;
        },
      },
    ],
  };
}

function lengthIn(text: string): number {
  return FRONT_MATTER.exec(text)?.[0].trimEnd().length ?? 0;
}

function isEnd(cx: BlockContext, line: Line, length: number | undefined): boolean {
  if (length === undefined) return FENCE.test(line.text);
  return cx.lineStart + line.text.length >= length;
}
