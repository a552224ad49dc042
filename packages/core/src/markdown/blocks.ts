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
