/** A part of one line, as offsets in the whole text. */
export interface Segment {
  readonly start: number;
  readonly end: number;
}

/** A block with inline content: its lines, without the markers of quotes, lists and headings. */
export interface InlineBlock {
  readonly kind: "paragraph" | "heading";
  readonly segments: readonly Segment[];
}

/**
 * The kind of a line. `paragraph` is the first line of a paragraph and `continuation` each further one;
 * `underline` makes them a heading; `fence` opens a block of `code`; `html` is raw HTML.
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

/** The marker of a quote or list item, such as `>`, `-` or `1.`, and its offset. */
export interface OpenedContainer {
  readonly start: number;
  readonly marker: string;
}

export interface MarkdownLine {
  readonly start: number;
  /** The offset before the line end. */
  readonly end: number;
  /** The offset after the line end. */
  readonly next: number;
  readonly kind: LineKind;
  /**
   * The offset of the first character other than white space after the markers of quotes and items.
   */
  readonly contentStart: number;
  /** How many quotes and items contain the line. */
  readonly depth: number;
  /** The quotes and items that the line opens. */
  readonly opened: readonly OpenedContainer[];
}

export interface MarkdownBlocks {
  readonly inline: readonly InlineBlock[];
  /** Blocks of raw HTML. */
  readonly html: readonly Segment[];
  /** All lines after the front matter. */
  readonly lines: readonly MarkdownLine[];
}
