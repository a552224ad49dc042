import type { Segment } from "@idewire/core/markdown";
import { BlockText, type InlineBlock, type MarkdownLine, scanBlocks } from "@idewire/core/markdown";
import { type InlineFinds, type OpenRegion, scanInline } from "./inline-scan.ts";

/** A link as written: `path#heading`, without its display text. */
export interface NoteLink extends Segment {
  readonly link: string;
  readonly isEmbed: boolean;
  /** `[text](path)`, not `[[path]]`. */
  readonly isMarkdown: boolean;
}

export interface NoteHeading extends Segment {
  readonly heading: string;
  readonly level: number;
}

/** A named element: the id of a block, or the label of a footnote. */
export interface Named extends Segment {
  readonly name: string;
}

export interface Unclosed extends Segment {
  readonly what: "code" | "comment" | "math";
}

/** The parts of a note that can be wrong. All positions are offsets of its text. */
export interface NoteScan {
  /** The YAML between the lines of dashes. */
  readonly properties: Segment | undefined;
  readonly links: readonly NoteLink[];
  readonly headings: readonly NoteHeading[];
  readonly blockIds: readonly Named[];
  readonly footnoteRefs: readonly Named[];
  readonly footnotes: ReadonlySet<string>;
  readonly unclosed: readonly Unclosed[];
}

const PROPERTIES = /^---[ \t]*\r?\n((?:[\s\S]*?\r?\n)?)---[ \t]*(?:\r?\n|$)/;

/** Parses a note as Obsidian does, in time proportional to its length. */
export function scanNote(text: string): NoteScan {
  return new NoteReader(text).read();
}

class NoteReader {
  readonly #text: string;
  readonly #finds: InlineFinds = { links: [], footnoteRefs: [], footnotes: new Set() };
  readonly #headings: NoteHeading[] = [];
  readonly #blockIds: Named[] = [];
  readonly #unclosed: Unclosed[] = [];
  #region: OpenRegion | undefined;
  #fence: MarkdownLine | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  read(): NoteScan {
    const properties = this.#readProperties();
    const { lines, inline } = scanBlocks(this.#text);
    let next = 0;
    for (const line of lines) {
      this.#readFence(line);
      this.#readRaw(line);
      for (let block = inline[next]; startsIn(block, line); block = inline[next]) {
        this.#readBlock(new BlockText(this.#text, block), block);
        next++;
      }
      if (line.kind === "heading" || line.kind === "underline") this.#setLevel(line);
    }
    this.#endFence();
    if (this.#region !== undefined) this.#unclosed.push(this.#region);
    const { links, footnoteRefs, footnotes } = this.#finds;
    const [headings, blockIds, unclosed] = [this.#headings, this.#blockIds, this.#unclosed];
    return { properties, links, headings, blockIds, footnoteRefs, footnotes, unclosed };
  }

  #readProperties(): Segment | undefined {
    const [whole, yaml = ""] = PROPERTIES.exec(this.#text) ?? [];
    if (whole === undefined) return undefined;
    const start = whole.indexOf("\n") + 1;
    for (const match of yaml.matchAll(/\[\[([^[\]\n|]*)(?:\|[^[\]\n]*)?\]\]/g)) {
      const from = start + match.index;
      const place = { start: from, end: from + match[0].length };
      const link = (match[1] ?? "").trim();
      this.#finds.links.push({ link, isEmbed: false, isMarkdown: false, ...place });
    }
    return { start, end: start + yaml.length };
  }

  #readFence(line: MarkdownLine): void {
    if (line.kind === "code") return;
    if (line.kind === "fence-end") this.#fence = undefined;
    this.#endFence();
    if (line.kind === "fence" && this.#region === undefined) this.#fence = line;
  }

  #endFence(): void {
    if (this.#fence === undefined) return;
    const { contentStart, end } = this.#fence;
    this.#unclosed.push({ what: "code", start: contentStart, end });
    this.#fence = undefined;
  }

  /** An open comment may end inside what Markdown takes for code. */
  #readRaw({ kind, start, end }: MarkdownLine): void {
    const isRaw = !["blank", "paragraph", "continuation", "heading", "underline"].includes(kind);
    if (this.#region === undefined || !isRaw) return;
    const mark = this.#region.what === "comment" ? "%%" : "$$";
    if (this.#text.slice(start, end).includes(mark)) this.#region = undefined;
  }

  #readBlock(block: BlockText, { kind }: InlineBlock): void {
    const place = ({ start, end }: Segment) => {
      const target = block.targetAt(start, end);
      return { start: target.start, end: target.end };
    };
    const wasOpen = this.#region !== undefined;
    this.#region = scanInline(block.text, this.#region, { finds: this.#finds, place });
    if (wasOpen) return;
    if (kind === "heading") this.#addHeading(block.text, place);
    this.#readBlockId(block.text, place);
  }

  #addHeading(text: string, place: (segment: Segment) => Segment): void {
    const heading = text.trim();
    this.#headings.push({ heading, level: 1, ...place({ start: 0, end: text.length }) });
  }

  #setLevel(line: MarkdownLine): void {
    const last = this.#headings.at(-1);
    if (last === undefined || last.end > line.end) return;
    const mark = this.#text.slice(line.contentStart, line.end);
    const hashes = /^#*/.exec(mark)?.[0].length ?? 0;
    const level = line.kind === "heading" ? hashes : mark.startsWith("=") ? 1 : 2;
    this.#headings[this.#headings.length - 1] = { ...last, level };
  }

  /** `^id`, as the last word of a block. */
  #readBlockId(text: string, place: (segment: Segment) => Segment): void {
    const start = text.lastIndexOf("^");
    if (start === -1 || !/^\s?$/.test(text.slice(Math.max(0, start - 1), start))) return;
    const name = /^\^([A-Za-z0-9-]+)\s*$/.exec(text.slice(start))?.[1];
    if (name === undefined) return;
    this.#blockIds.push({ name, ...place({ start, end: start + name.length + 1 }) });
  }
}

function startsIn(block: InlineBlock | undefined, line: MarkdownLine): block is InlineBlock {
  const start = block?.segments[0]?.start;
  return start !== undefined && start < line.next;
}
