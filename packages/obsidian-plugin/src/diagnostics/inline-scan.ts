import { CodeSpans, linkTail, type Segment } from "@idewire/core/markdown";
import type { Named, NoteLink, Unclosed } from "./note-scan.ts";

/** A comment or formula that is still open. */
export type OpenRegion = Unclosed & { readonly what: "comment" | "math" };

/** What is found in the blocks of a note. */
export interface InlineFinds {
  readonly links: NoteLink[];
  readonly footnoteRefs: Named[];
  readonly footnotes: Set<string>;
}

interface InlineScanContext {
  readonly finds: InlineFinds;
  /** Converts offsets of the block to those of the note. */
  readonly place: (segment: Segment) => Segment;
}

const TOKENS = /\\[\s\S]|`+|%%|\$\$?|<!--|!?\[\[[^[\]\n]*\]\]|\[\^[^[\]\s]{1,200}\]|!?\[|\]/g;

/** Scans the text of one block; returns the region that is open after it. */
export function scanInline(
  text: string,
  region: OpenRegion | undefined,
  context: InlineScanContext,
): OpenRegion | undefined {
  return new InlineReader(text, context).read(region);
}

class InlineReader {
  readonly #text: string;
  readonly #finds: InlineFinds;
  readonly #place: InlineScanContext["place"];
  readonly #code: CodeSpans;
  readonly #openers: { readonly at: number; readonly isEmbed: boolean }[] = [];
  #region: OpenRegion | undefined;

  constructor(text: string, { finds, place }: InlineScanContext) {
    this.#text = text;
    this.#finds = finds;
    this.#place = place;
    this.#code = new CodeSpans(text);
  }

  read(region: OpenRegion | undefined): OpenRegion | undefined {
    let from = 0;
    if (region !== undefined) {
      from = this.#endOf(region.what === "comment" ? "%%" : "$$", 0) ?? -1;
      if (from === -1) return region;
    }
    const tokens = new RegExp(TOKENS);
    tokens.lastIndex = from;
    for (let token = tokens.exec(this.#text); token !== null; token = tokens.exec(this.#text)) {
      tokens.lastIndex = this.#readToken(token[0], token.index);
      if (this.#region !== undefined) return this.#region;
    }
    return undefined;
  }

  /** Returns where to continue. */
  #readToken(token: string, at: number): number {
    const end = at + token.length;
    if (token.startsWith("`")) return this.#code.at(at).end;
    if (token === "%%" || token === "$$") return this.#readRegion(token, at);
    if (token === "$") return this.#mathEnd(at);
    if (token === "<!--") return this.#endOf("-->", end) ?? end;
    if (token.endsWith("]]")) this.#addWikiLink(token, at);
    else if (token.startsWith("[^")) return this.#readFootnote(token, at);
    else if (token.endsWith("[")) this.#openers.push({ at, isEmbed: token.startsWith("!") });
    else if (token === "]") return this.#closeBracket(at);
    return end;
  }

  #endOf(mark: string, from: number): number | undefined {
    const found = this.#text.indexOf(mark, from);
    return found === -1 ? undefined : found + mark.length;
  }

  /** An unclosed mark at the start of a line continues over blocks; elsewhere it is plain text. */
  #readRegion(mark: "%%" | "$$", at: number): number {
    const end = this.#endOf(mark, at + 2);
    if (end !== undefined) return end;
    const isFirst = at === 0 || this.#text[at - 1] === "\n";
    if (!isFirst) return this.#text.length;
    const what = mark === "%%" ? "comment" : "math";
    this.#region = { what, ...this.#place({ start: at, end: at + 2 }) };
    return this.#text.length;
  }

  /** A formula in a line: no space after its first mark, none before its last. */
  #mathEnd(at: number): number {
    const close = this.#text.indexOf("$", at + 1);
    const inside = close === -1 ? "" : this.#text.slice(at + 1, close);
    const isMath = /^\S(?:.*\S)?$/.test(inside) && !/\d/.test(this.#text[close + 1] ?? "");
    return isMath ? close + 1 : at + 1;
  }

  #addWikiLink(token: string, at: number): void {
    const isEmbed = token.startsWith("!");
    const inside = token.slice(isEmbed ? 3 : 2, -2);
    // In a table the pipe is escaped.
    const [link = ""] = inside.split(/\\?\|/, 1);
    const place = this.#place({ start: at, end: at + token.length });
    this.#finds.links.push({ link: link.trim(), isEmbed, isMarkdown: false, ...place });
  }

  #readFootnote(token: string, at: number): number {
    const end = at + token.length;
    const name = token.slice(2, -1);
    const isFirst = at === 0 || this.#text[at - 1] === "\n";
    if (isFirst && this.#text[end] === ":") {
      this.#finds.footnotes.add(name.toLowerCase());
      return end + 1;
    }
    this.#finds.footnoteRefs.push({ name, ...this.#place({ start: at, end }) });
    return end;
  }

  #closeBracket(at: number): number {
    const opener = this.#openers.pop();
    if (opener === undefined) return at + 1;
    const tail = linkTail(this.#text, at + 1);
    if (tail === undefined) return at + 1;
    const url = this.#text.slice(tail.start, tail.end).replace(/\\([!-/:-@[-`{-~])/g, "$1");
    // A URL with a scheme, or with two leading slashes, leads out of the vault.
    if (url !== "" && !/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(url)) {
      const place = this.#place({ start: opener.at, end: tail.tailEnd });
      const { isEmbed } = opener;
      this.#finds.links.push({ link: decodeUrl(url), isEmbed, isMarkdown: true, ...place });
    }
    return tail.tailEnd;
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
