import {
  atxHeading,
  fenceStart,
  type HtmlStart,
  htmlStart,
  isFenceEnd,
  isSetextUnderline,
  isThematicBreak,
  listMarker,
} from "./block-starts.ts";
import type {
  InlineBlock,
  LineKind,
  MarkdownBlocks,
  MarkdownLine,
  OpenedContainer,
  Segment,
} from "./blocks.ts";
import { scanDefinitions } from "./definitions.ts";
import { LineScanner } from "./line-scanner.ts";

/** Quotes and lists that are nested more deeply are treated as text. */
const MAX_DEPTH = 100;

type Container =
  | { readonly kind: "quote" }
  | { readonly kind: "item"; readonly indent: number; isEmpty: boolean };

/** An open block of several lines other than a paragraph. */
type OpenLeafBlock =
  | { readonly kind: "fence"; readonly fence: string }
  | { readonly kind: "html"; readonly end: RegExp | undefined };

/** Scans a text line by line, by the rules of CommonMark's reference parser. */
export class BlockScanner {
  readonly #text: string;
  readonly #inline: InlineBlock[] = [];
  readonly #html: Segment[] = [];
  readonly #lines: MarkdownLine[] = [];
  readonly #containers: Container[] = [];
  #paragraph: Segment[] = [];
  #leaf: OpenLeafBlock | undefined;
  /** The quotes and items that the present line opens. */
  #opened: OpenedContainer[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads the next line; `end` is the offset before its line end, `next` the one after it. */
  readLine(start: number, end: number, next: number): void {
    const line = new LineScanner(this.#text, start, end);
    this.#opened = [];
    const matched = this.#matchContainers(line);
    const kind = this.#readContent(line, matched);
    const depth = this.#containers.length;
    const opened = this.#opened;
    this.#lines.push({ start, end, next, kind, contentStart: line.contentStart, depth, opened });
  }

  #readContent(line: LineScanner, matched: number): LineKind {
    const isWhole = matched === this.#containers.length;
    if (isWhole && this.#leaf !== undefined) {
      const kind = this.#continueLeaf(this.#leaf, line);
      if (kind !== undefined) return kind;
    }
    this.#leaf = undefined;
    const opened = this.#openContainers(line, matched);
    if (line.isBlank) this.#endParagraph();
    const isLazy = !isWhole && !opened && this.#paragraph.length > 0;
    if (isLazy && !startsLeaf(line)) return this.#addToParagraph(line);
    if (!opened) this.#leave(matched);
    return line.isBlank ? "blank" : this.#readLeaf(line);
  }

  finish(): MarkdownBlocks {
    this.#endParagraph();
    return { inline: this.#inline, html: this.#html, lines: this.#lines };
  }

  /** Returns how many of the open containers the line continues. */
  #matchContainers(line: LineScanner): number {
    let matched = 0;
    for (const container of this.#containers) {
      if (container.kind === "quote") {
        if (!this.#skipQuoteMark(line)) break;
      } else if (line.isBlank) {
        if (container.isEmpty) break;
      } else {
        if (line.indent < container.indent) break;
        line.skipColumns(container.indent);
        container.isEmpty = false;
      }
      matched++;
    }
    return matched;
  }

  #skipQuoteMark(line: LineScanner): boolean {
    if (line.indent > 3 || !line.rest.startsWith(">")) return false;
    line.skip(1);
    if (line.indent > 0) line.skipColumns(1);
    return true;
  }

  /** Returns whether the line opens containers. */
  #openContainers(line: LineScanner, matched: number): boolean {
    let opened = false;
    while (this.#containers.length < MAX_DEPTH || !opened) {
      const container = this.#nextContainer(line, opened ? this.#containers.length : matched);
      if (container === undefined) break;
      if (!opened) this.#leave(matched);
      this.#endParagraph();
      this.#containers.push(container);
      opened = true;
    }
    return opened;
  }

  #nextContainer(line: LineScanner, matched: number): Container | undefined {
    if (matched >= MAX_DEPTH || line.indent > 3) return undefined;
    const { contentStart } = line;
    if (this.#skipQuoteMark(line)) {
      this.#opened.push({ start: contentStart, marker: ">" });
      return { kind: "quote" };
    }
    const { rest } = line;
    const marker = listMarker(rest);
    if (marker === undefined || isThematicBreak(rest)) return undefined;
    const isInParagraph = this.#paragraph.length > 0 && matched === this.#containers.length;
    if (isInParagraph && (!marker.interrupts || isSetextUnderline(rest))) return undefined;
    this.#opened.push({ start: contentStart, marker: rest.slice(0, marker.length) });
    return this.#openItem(line, marker.length);
  }

  #openItem(line: LineScanner, markerLength: number): Container {
    const before = line.indent;
    line.skip(markerLength);
    const isEmpty = line.isBlank;
    const spaces = isEmpty || line.indent > 4 ? 1 : line.indent;
    line.skipColumns(spaces);
    return { kind: "item", indent: before + markerLength + spaces, isEmpty };
  }

  /** The kind of the line within the leaf block; undefined when it does not belong to it. */
  #continueLeaf(leaf: OpenLeafBlock, line: LineScanner): LineKind | undefined {
    if (leaf.kind === "fence") {
      if (line.indent > 3 || !isFenceEnd(line.rest, leaf.fence)) return "code";
      this.#leaf = undefined;
      return "fence-end";
    }
    if (leaf.end === undefined && line.isBlank) return undefined;
    return this.#addHtml(line, leaf.end);
  }

  #readLeaf(line: LineScanner): LineKind {
    const isParagraph = this.#paragraph.length > 0;
    // Code, unless it continues a paragraph.
    if (line.indent > 3) return isParagraph ? this.#addToParagraph(line) : "indented";
    const { rest } = line;
    if (isParagraph && isSetextUnderline(rest) && this.#endAsHeading()) return "underline";
    const fence = fenceStart(rest);
    if (fence !== undefined) {
      this.#endParagraph();
      this.#leaf = { kind: "fence", fence };
      return "fence";
    }
    const heading = atxHeading(rest);
    if (heading !== undefined) return this.#addHeading(line.contentStart, heading);
    if (isThematicBreak(rest)) {
      this.#endParagraph();
      return "rule";
    }
    const html = htmlStart(rest);
    if (html === undefined || (isParagraph && !html.interrupts)) return this.#addToParagraph(line);
    return this.#startHtml(line, html);
  }

  #addToParagraph(line: LineScanner): LineKind {
    this.#paragraph.push({ start: line.contentStart, end: line.end });
    return this.#paragraph.length === 1 ? "paragraph" : "continuation";
  }

  #addHeading(offset: number, { start, end }: Segment): LineKind {
    this.#endParagraph();
    const segments = [{ start: offset + start, end: offset + end }];
    this.#inline.push({ kind: "heading", segments });
    return "heading";
  }

  #startHtml(line: LineScanner, { end }: HtmlStart): LineKind {
    this.#endParagraph();
    this.#leaf = { kind: "html", end };
    return this.#addHtml(line, end);
  }

  #addHtml(line: LineScanner, end: RegExp | undefined): LineKind {
    this.#html.push({ start: line.contentStart, end: line.end });
    if (end?.test(line.rest)) this.#leaf = undefined;
    return "html";
  }

  /** Ends the paragraph as a heading; false when it consists of definitions only. */
  #endAsHeading(): boolean {
    const segments = this.#paragraph;
    const text = segments.map(({ start, end }) => this.#text.slice(start, end)).join("\n");
    const defined = scanDefinitions(text).end;
    if (defined >= text.length) return false;
    const definitionLines = text.slice(0, defined).split("\n").length - 1;
    this.#paragraph = segments.slice(0, definitionLines);
    this.#endParagraph();
    this.#inline.push({ kind: "heading", segments: segments.slice(definitionLines) });
    return true;
  }

  #leave(depth: number): void {
    if (depth === this.#containers.length) return;
    this.#endParagraph();
    this.#containers.length = depth;
  }

  #endParagraph(): void {
    if (this.#paragraph.length === 0) return;
    this.#inline.push({ kind: "paragraph", segments: this.#paragraph });
    this.#paragraph = [];
  }
}

/** Whether a line cannot continue a paragraph. */
function startsLeaf(line: LineScanner): boolean {
  if (line.isBlank) return true;
  if (line.indent > 3) return false;
  const { rest } = line;
  return (
    fenceStart(rest) !== undefined ||
    atxHeading(rest) !== undefined ||
    isThematicBreak(rest) ||
    htmlStart(rest)?.interrupts === true
  );
}
