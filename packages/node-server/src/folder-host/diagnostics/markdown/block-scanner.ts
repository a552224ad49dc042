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
import type { InlineBlock, MarkdownBlocks, Segment } from "./blocks.ts";
import { scanDefinitions } from "./definitions.ts";
import { LineReader } from "./line-reader.ts";

/** Deeper quotes and lists are taken as text. */
const MAX_DEPTH = 100;

type Container =
  | { readonly kind: "quote" }
  | { readonly kind: "item"; readonly indent: number; isEmpty: boolean };

/** What goes on over several lines; a paragraph is kept apart. */
type OpenLeaf =
  | { readonly kind: "fence"; readonly fence: string }
  | { readonly kind: "html"; readonly end: RegExp | undefined };

/** Takes a text line by line; the rules are those of CommonMark's own parser. */
export class BlockScanner {
  readonly #text: string;
  readonly #inline: InlineBlock[] = [];
  readonly #html: Segment[] = [];
  readonly #containers: Container[] = [];
  #paragraph: Segment[] = [];
  #leaf: OpenLeaf | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  readLine(start: number, end: number): void {
    const line = new LineReader(this.#text, start, end);
    const matched = this.#matchContainers(line);
    const isWhole = matched === this.#containers.length;
    if (isWhole && this.#leaf !== undefined && this.#continueLeaf(this.#leaf, line)) return;
    this.#leaf = undefined;
    const opened = this.#openContainers(line, matched);
    if (line.isBlank) this.#endParagraph();
    const isLazy = !isWhole && !opened && this.#paragraph.length > 0;
    if (isLazy && !startsLeaf(line)) {
      this.#paragraph.push(contentOf(line));
      return;
    }
    if (!opened) this.#leave(matched);
    if (!line.isBlank) this.#readLeaf(line);
  }

  finish(): MarkdownBlocks {
    this.#endParagraph();
    return { inline: this.#inline, html: this.#html };
  }

  /** How many of the open containers this line is in. */
  #matchContainers(line: LineReader): number {
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

  #skipQuoteMark(line: LineReader): boolean {
    if (line.indent > 3 || !line.rest.startsWith(">")) return false;
    line.skip(1);
    if (line.indent > 0) line.skipColumns(1);
    return true;
  }

  /** Says whether there were any. */
  #openContainers(line: LineReader, matched: number): boolean {
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

  #nextContainer(line: LineReader, matched: number): Container | undefined {
    if (matched >= MAX_DEPTH || line.indent > 3) return undefined;
    if (this.#skipQuoteMark(line)) return { kind: "quote" };
    const { rest } = line;
    const marker = listMarker(rest);
    if (marker === undefined || isThematicBreak(rest)) return undefined;
    const isInParagraph = this.#paragraph.length > 0 && matched === this.#containers.length;
    if (isInParagraph && (!marker.interrupts || isSetextUnderline(rest))) return undefined;
    return this.#openItem(line, marker.length);
  }

  #openItem(line: LineReader, markerLength: number): Container {
    const before = line.indent;
    line.skip(markerLength);
    const isEmpty = line.isBlank;
    const spaces = isEmpty || line.indent > 4 ? 1 : line.indent;
    line.skipColumns(spaces);
    return { kind: "item", indent: before + markerLength + spaces, isEmpty };
  }

  /** Says whether the line belongs to it. */
  #continueLeaf(leaf: OpenLeaf, line: LineReader): boolean {
    if (leaf.kind === "fence") {
      if (line.indent <= 3 && isFenceEnd(line.rest, leaf.fence)) this.#leaf = undefined;
      return true;
    }
    if (leaf.end === undefined && line.isBlank) return false;
    this.#addHtml(line, leaf.end);
    return true;
  }

  #readLeaf(line: LineReader): void {
    const isParagraph = this.#paragraph.length > 0;
    if (line.indent > 3) {
      // Code, unless a paragraph goes on.
      if (isParagraph) this.#paragraph.push(contentOf(line));
      return;
    }
    const { rest } = line;
    if (isParagraph && isSetextUnderline(rest) && this.#endAsHeading()) return;
    const fence = fenceStart(rest);
    const heading = atxHeading(rest);
    const html = htmlStart(rest);
    if (fence !== undefined || heading !== undefined || isThematicBreak(rest)) this.#endParagraph();
    if (fence !== undefined) this.#leaf = { kind: "fence", fence };
    else if (heading !== undefined) this.#addHeading(line.contentStart, heading);
    else if (html !== undefined && (!isParagraph || html.interrupts)) this.#startHtml(line, html);
    else if (!isThematicBreak(rest)) this.#paragraph.push(contentOf(line));
  }

  #addHeading(offset: number, { start, end }: Segment): void {
    this.#inline.push({
      kind: "heading",
      segments: [{ start: offset + start, end: offset + end }],
    });
  }

  #startHtml(line: LineReader, { end }: HtmlStart): void {
    this.#endParagraph();
    this.#leaf = { kind: "html", end };
    this.#addHtml(line, end);
  }

  #addHtml(line: LineReader, end: RegExp | undefined): void {
    this.#html.push(contentOf(line));
    if (end?.test(line.rest)) this.#leaf = undefined;
  }

  /** A paragraph of nothing but definitions cannot be underlined. */
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

function contentOf(line: LineReader): Segment {
  return { start: line.contentStart, end: line.end };
}

/** What cannot be a paragraph's next line. */
function startsLeaf(line: LineReader): boolean {
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
