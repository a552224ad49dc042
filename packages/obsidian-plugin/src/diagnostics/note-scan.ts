import type { SyntaxNode, SyntaxNodeRef } from "@idewire/core/markdown";
import { isHeading, obsidian, parseTree, targetOf } from "@idewire/core/markdown";

/** A part of a note, as offsets of its text. */
export interface Segment {
  readonly start: number;
  readonly end: number;
}

/** A link as written: `path#heading`, without its display text. */
export interface NoteLink extends Segment {
  readonly link: string;
  readonly isEmbed: boolean;
  /** `[text](path)`, not `[[path]]`. */
  readonly isMarkdown: boolean;
}

export interface NoteHeading {
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

/**
 * Reads a note as Obsidian does, in time proportional to its length. Obsidian's own metadata is of the
 * saved text and has no unclosed code, so that a text being typed is read here.
 */
export function scanNote(text: string): NoteScan {
  const reader = new NoteReader(text);
  parseTree(text, obsidian).iterate({ enter: (node) => reader.read(node) });
  return reader;
}

class NoteReader implements NoteScan {
  properties: Segment | undefined;
  readonly links: NoteLink[] = [];
  readonly headings: NoteHeading[] = [];
  readonly blockIds: Named[] = [];
  readonly footnoteRefs: Named[] = [];
  readonly footnotes = new Set<string>();
  readonly unclosed: Unclosed[] = [];
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns false if the node's children mean nothing. */
  read(node: SyntaxNodeRef): boolean {
    const { from: start, to: end } = node;
    if (isHeading(node)) this.#readHeading(node.node);
    switch (node.name) {
      case "FrontMatter":
        this.#readProperties(end);
        break;
      case "WikiLink":
        this.#addWikiLink(start, end);
        break;
      case "Link":
      case "Image":
        this.#addMarkdownLink(node.node);
        break;
      case "FootnoteReference":
        this.footnoteRefs.push({ name: this.#text.slice(start + 2, end - 1), start, end });
        break;
      case "FootnoteLabel":
        this.footnotes.add(this.#text.slice(start + 2, end - 1).toLowerCase());
        break;
      case "BlockId":
        this.blockIds.push({ name: this.#text.slice(start + 1, end), start, end });
        break;
      case "FencedCode":
        this.#findUnclosed(node.node, "code", "CodeMark");
        break;
      case "NoteCommentBlock":
        this.#findUnclosed(node.node, "comment", "RegionMark");
        break;
      case "MathBlock":
        this.#findUnclosed(node.node, "math", "RegionMark");
        break;
    }
    return true;
  }

  #readProperties(end: number): void {
    const start = this.#text.indexOf("\n") + 1;
    this.properties = { start, end: Math.max(start, this.#text.lastIndexOf("\n", end - 1) + 1) };
    const yaml = this.#text.slice(start, this.properties.end);
    for (const match of yaml.matchAll(/\[\[[^[\]\n]*\]\]/g)) {
      const from = start + match.index;
      this.#addWikiLink(from, from + match[0].length);
    }
  }

  #addWikiLink(start: number, end: number): void {
    const isEmbed = this.#text[start] === "!";
    const inside = this.#text.slice(start + (isEmbed ? 3 : 2), end - 2);
    // In a table the pipe is escaped.
    const [link = ""] = inside.split(/\\?\|/, 1);
    this.links.push({ link: link.trim(), isEmbed, isMarkdown: false, start, end });
  }

  #addMarkdownLink(node: SyntaxNode): void {
    const url = targetOf(node, this.#text)?.url ?? "";
    // A URL with a scheme, or with two leading slashes, leads out of the vault.
    if (url === "" || /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(url)) return;
    const isEmbed = node.name === "Image";
    const link = decodeUrl(url);
    this.links.push({ link, isEmbed, isMarkdown: true, start: node.from, end: node.to });
  }

  #readHeading(node: SyntaxNode): void {
    const [first, last] = [node.firstChild, node.lastChild];
    const start = node.name.startsWith("ATX") ? (first?.to ?? node.from) : node.from;
    const isClosed = last?.name === "HeaderMark" && last.from >= start;
    const heading = this.#text.slice(start, isClosed ? last.from : node.to).trim();
    this.headings.push({ heading, level: Number(node.name.at(-1)) });
  }

  /** The first line of a block that has no closing mark. */
  #findUnclosed(node: SyntaxNode, what: Unclosed["what"], mark: string): void {
    if (node.getChildren(mark).length > 1) return;
    const line = this.#text.slice(node.from, node.to).split(/\r?\n/, 1)[0] ?? "";
    const length = what === "code" ? line.length : 2;
    this.unclosed.push({ what, start: node.from, end: node.from + length });
  }
}

/** Percent-decodes a URL; returns it unchanged if the encoding is broken. */
export function decodeUrl(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}
