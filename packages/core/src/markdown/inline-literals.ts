/** Open and closing tags and declarations: CommonMark 0.31, section 6.6. */
const TAG =
  /<(?:[a-z][a-z0-9-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?|\/[a-z][a-z0-9-]*\s*|![a-z][^>]*)>/iy;

const AUTOLINK =
  /<(?:[a-z][a-z0-9+.-]{1,31}:[^\s<>]*|[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9][a-z0-9.-]*)>/iy;

/** Comments, processing instructions and CDATA sections. */
const DELIMITED: readonly (readonly [start: string, end: string])[] = [
  ["<!--", "-->"],
  ["<?", "?>"],
  ["<![CDATA[", "]]>"],
];

/** The greatest length of a tag or autolink that is recognised. */
const MAX_TAG = 4_000;

export interface Literal {
  readonly end: number;
  readonly isHtml: boolean;
}

/** The literal elements that start with `<`: tags, comments and autolinks. */
export class InlineLiterals {
  readonly #text: string;
  /** The closing delimiters that do not occur any more, so that they are not searched for again. */
  readonly #absent = new Set<string>();

  constructor(text: string) {
    this.#text = text;
  }

  /** The element at an offset; undefined for a plain `<`. Call it with increasing offsets only. */
  at(start: number): Literal | undefined {
    for (const [opening, closing] of DELIMITED) {
      if (this.#text.startsWith(opening, start)) return this.#delimited(start, closing);
    }
    const part = this.#text.slice(start, start + MAX_TAG);
    AUTOLINK.lastIndex = 0;
    if (AUTOLINK.test(part)) return { end: start + AUTOLINK.lastIndex, isHtml: false };
    TAG.lastIndex = 0;
    return TAG.test(part) ? { end: start + TAG.lastIndex, isHtml: true } : undefined;
  }

  #delimited(start: number, closing: string): Literal | undefined {
    if (this.#absent.has(closing)) return undefined;
    const found = this.#text.indexOf(closing, start + 2);
    if (found !== -1) return { end: found + closing.length, isHtml: true };
    this.#absent.add(closing);
    return undefined;
  }
}

export interface CodeSpan {
  readonly contentStart: number;
  /** Undefined when the backticks are literal characters. */
  readonly contentEnd: number | undefined;
  readonly end: number;
}

/** The code spans of a text, found in linear time. */
export class CodeSpans {
  readonly #text: string;
  /** The offsets of the backtick runs by their length, the last one first. */
  readonly #runs = new Map<number, number[]>();

  constructor(text: string) {
    this.#text = text;
    const runs = [...text.matchAll(/`+/g)].reverse();
    for (const { 0: run, index } of runs) {
      const starts = this.#runs.get(run.length) ?? [];
      starts.push(index);
      this.#runs.set(run.length, starts);
    }
  }

  /** The span that starts with the backticks at an offset. Call it with increasing offsets only. */
  at(start: number): CodeSpan {
    let contentStart = start;
    while (this.#text[contentStart] === "`") contentStart++;
    const length = contentStart - start;
    const starts = this.#runs.get(length) ?? [];
    while ((starts.at(-1) ?? contentStart) < contentStart) starts.pop();
    const contentEnd = starts.at(-1);
    return { contentStart, contentEnd, end: (contentEnd ?? contentStart) + length };
  }
}
