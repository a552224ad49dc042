import { normaliseLabel } from "./definitions.ts";
import { CodeSpans, InlineLiterals } from "./inline-literals.ts";
import { type LinkTail, linkTail } from "./link-tail.ts";
import { asLiteral, type Cut } from "./words.ts";

/** The greatest length of a label. */
const MAX_LABEL = 999;

export interface InlineContent {
  readonly targets: readonly LinkTail[];
  readonly html: readonly string[];
  /** In order, including those within others. */
  readonly cuts: readonly Cut[];
}

interface BracketOpener {
  readonly start: number;
  readonly isImage: boolean;
}

/** Finds links and images in a paragraph or heading, after CommonMark 0.31, section 6. */
export function scanInline(text: string, labels: ReadonlySet<string>): InlineContent {
  if (!/[\\`<[]/.test(text)) return { targets: [], html: [], cuts: [] };
  return new InlineScanner(text, labels).scan();
}

class InlineScanner {
  readonly #text: string;
  readonly #labels: ReadonlySet<string>;
  readonly #code: CodeSpans;
  readonly #literals: InlineLiterals;
  readonly #targets: LinkTail[] = [];
  readonly #html: string[] = [];
  readonly #cuts: Cut[] = [];
  readonly #openers: BracketOpener[] = [];
  /** Openers below this index contain a link, so they cannot be links themselves. */
  #dead = 0;

  constructor(text: string, labels: ReadonlySet<string>) {
    this.#text = text;
    this.#labels = labels;
    this.#code = new CodeSpans(text);
    this.#literals = new InlineLiterals(text);
  }

  scan(): InlineContent {
    const special = /[\\`<![\]]/g;
    for (let match = special.exec(this.#text); match !== null; match = special.exec(this.#text)) {
      special.lastIndex = this.#read(match.index);
    }
    const cuts = this.#cuts.sort((a, b) => a.start - b.start);
    return { targets: this.#targets, html: this.#html, cuts };
  }

  /** Reads the element at a special character; returns the offset at which to continue. */
  #read(at: number): number {
    switch (this.#text[at]) {
      case "\\":
        return this.#readEscape(at);
      case "`":
        return this.#readCode(at);
      case "<":
        return this.#readLiteral(at);
      case "]":
        return this.#closeBracket(at);
      default:
        return this.#openBracket(at);
    }
  }

  #readEscape(at: number): number {
    if (!/[!-/:-@[-`{-~]/.test(this.#text[at + 1] ?? "")) return at + 1;
    const literal = asLiteral(this.#text.slice(at + 1, at + 2));
    this.#cuts.push({ start: at, end: at + 2, with: literal });
    return at + 2;
  }

  #readCode(at: number): number {
    const { contentStart, contentEnd, end } = this.#code.at(at);
    if (contentEnd === undefined) return contentStart;
    const code = asLiteral(this.#text.slice(contentStart, contentEnd));
    this.#cuts.push({ start: at, end, with: code });
    return end;
  }

  #readLiteral(at: number): number {
    const literal = this.#literals.at(at);
    if (literal === undefined) return at + 1;
    const { end, isHtml } = literal;
    const inside = this.#text.slice(at + 1, end - 1);
    if (isHtml) this.#html.push(this.#text.slice(at, end));
    this.#cuts.push({ start: at, end, with: isHtml ? "" : inside });
    return end;
  }

  #openBracket(at: number): number {
    const isImage = this.#text[at] === "!";
    if (isImage && this.#text[at + 1] !== "[") return at + 1;
    this.#openers.push({ start: at, isImage });
    return at + (isImage ? 2 : 1);
  }

  #closeBracket(at: number): number {
    const opener = this.#openers.pop();
    if (opener === undefined) return at + 1;
    const isDead = !opener.isImage && this.#openers.length < this.#dead;
    this.#dead = Math.min(this.#dead, this.#openers.length);
    if (isDead) return at + 1;
    const tail = linkTail(this.#text, at + 1);
    const end = tail?.tailEnd ?? this.#referenceEnd(opener, at);
    if (end === undefined) return at + 1;
    if (opener.isImage) this.#dropTargetsAfter(opener.start);
    else this.#dead = this.#openers.length;
    if (tail !== undefined && tail.end > tail.start) this.#targets.push(tail);
    this.#cutLink(opener, at, end);
    return end;
  }

  /** The end of `[text][label]`, `[label][]` or `[label]`, if the label is defined. */
  #referenceEnd(opener: BracketOpener, at: number): number | undefined {
    if (this.#labels.size === 0) return undefined;
    const text = this.#text;
    const label = /\[((?:[^\\[\]]|\\[\s\S]){0,999})\]/y;
    label.lastIndex = at + 1;
    const match = label.exec(text);
    const named = match?.[1] ?? "";
    if (named.trim() !== "") {
      return this.#labels.has(normaliseLabel(named)) ? label.lastIndex : undefined;
    }
    const start = opener.start + (opener.isImage ? 2 : 1);
    if (at - start > MAX_LABEL) return undefined;
    const isDefined = this.#labels.has(normaliseLabel(text.slice(start, at)));
    return isDefined ? (match === null ? at + 1 : label.lastIndex) : undefined;
  }

  /** Drops the links within an image's label. */
  #dropTargetsAfter(start: number): void {
    while ((this.#targets.at(-1)?.start ?? start) > start) this.#targets.pop();
  }

  /** Cuts an image as a whole, and a link except for its label. */
  #cutLink({ start, isImage }: BracketOpener, close: number, end: number): void {
    if (isImage) {
      this.#cut(start, end);
      return;
    }
    this.#cut(start, start + 1);
    this.#cut(close, end);
  }

  #cut(start: number, end: number): void {
    this.#cuts.push({ start, end, with: "" });
  }
}
