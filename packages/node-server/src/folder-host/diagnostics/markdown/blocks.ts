import { BlockScanner } from "./block-scanner.ts";

/** A part of one line, as offsets of the whole text. */
export interface Segment {
  readonly start: number;
  readonly end: number;
}

/** What has inline content: its lines, without what makes it a quote, a list or a heading. */
export interface InlineBlock {
  readonly kind: "paragraph" | "heading";
  readonly segments: readonly Segment[];
}

export interface MarkdownBlocks {
  readonly inline: readonly InlineBlock[];
  /** Blocks of raw HTML. */
  readonly html: readonly Segment[];
}

const FRONTMATTER = /^---[ \t]*\r?\n(?:[\s\S]*?\r?\n)?(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;

/**
 * Finds the paragraphs and headings of CommonMark, in one pass over the lines: full parsers take
 * seconds for some texts, and nothing may keep the editor waiting.
 */
export function scanBlocks(text: string): MarkdownBlocks {
  const scanner = new BlockScanner(text);
  let start = FRONTMATTER.exec(text)?.[0].length ?? 0;
  while (start < text.length) {
    const feed = text.indexOf("\n", start);
    const next = feed === -1 ? text.length : feed + 1;
    const end = feed === -1 ? next : text[feed - 1] === "\r" ? feed - 1 : feed;
    scanner.readLine(start, Math.max(end, start));
    start = next;
  }
  return scanner.finish();
}
