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

/**
 * What a line is. `paragraph` is a paragraph's first line and `continuation` each other one;
 * `underline` makes a heading of them; `fence` opens a block of `code`; `html` is raw.
 */
export type LineKind =
  | "blank"
  | "paragraph"
  | "continuation"
  | "underline"
  | "heading"
  | "rule"
  | "fence"
  | "code"
  | "fence-end"
  | "indented"
  | "html";

/** The mark of a quote or list item, such as `>`, `-` or `1.`, and where it is. */
export interface OpenedContainer {
  readonly start: number;
  readonly marker: string;
}

export interface MarkdownLine {
  readonly start: number;
  /** Before the line end. */
  readonly end: number;
  /** After the line end. */
  readonly next: number;
  readonly kind: LineKind;
  /** The first character that is no white space, after the marks of quotes and items. */
  readonly contentStart: number;
  /** How many quotes and items are around it. */
  readonly depth: number;
  /** Those of them that it opens. */
  readonly opened: readonly OpenedContainer[];
}

export interface MarkdownBlocks {
  readonly inline: readonly InlineBlock[];
  /** Blocks of raw HTML. */
  readonly html: readonly Segment[];
  /** All lines after the frontmatter. */
  readonly lines: readonly MarkdownLine[];
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
    const lineFeed = text.indexOf("\n", start);
    const next = lineFeed === -1 ? text.length : lineFeed + 1;
    const end = lineFeed === -1 ? next : text[lineFeed - 1] === "\r" ? lineFeed - 1 : lineFeed;
    scanner.readLine(start, Math.max(end, start), next);
    start = next;
  }
  return scanner.finish();
}
