import type { InlineContext, MarkdownConfig } from "@lezer/markdown";
import { stateOf, textOf } from "./section-state.ts";

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

const codeIn = stateOf((cx) => new CodeSpans(textOf(cx)));
const literalsIn = stateOf((cx) => new InlineLiterals(textOf(cx)));

/** Code spans, tags and autolinks, found in linear time; the parser's own rules are quadratic. */
export const literals: MarkdownConfig = {
  parseInline: [
    { name: "InlineCode", parse: (cx, next, pos) => (next === 96 ? parseCode(cx, pos) : -1) },
    { name: "HTMLTag", parse: (cx, next, pos) => (next === 60 ? parseLiteral(cx, pos) : -1) },
    {
      name: "HardBreak",
      parse: (cx, next, pos) =>
        next === 92 && cx.char(pos + 1) === 10
          ? cx.addElement(cx.elt("HardBreak", pos, pos + 2))
          : -1,
    },
  ],
};

function parseCode(cx: InlineContext, from: number): number {
  const span = codeIn(cx).at(from - cx.offset);
  const start = cx.offset + span.contentStart;
  if (span.contentEnd === undefined) return start;
  const [end, to] = [cx.offset + span.contentEnd, cx.offset + span.end];
  const marks = [cx.elt("CodeMark", from, start), cx.elt("CodeMark", end, to)];
  return cx.addElement(cx.elt("InlineCode", from, to, marks));
}

function parseLiteral(cx: InlineContext, from: number): number {
  const literal = literalsIn(cx).at(from - cx.offset);
  if (literal === undefined) return -1;
  const to = cx.offset + literal.end;
  if (literal.isHtml) return cx.addElement(cx.elt("HTMLTag", from, to));
  const children = [
    cx.elt("LinkMark", from, from + 1),
    cx.elt("URL", from + 1, to - 1),
    cx.elt("LinkMark", to - 1, to),
  ];
  return cx.addElement(cx.elt("Autolink", from, to, children));
}

interface Literal {
  readonly end: number;
  readonly isHtml: boolean;
}

/** The literal elements that start with `<`: tags, comments and autolinks. */
class InlineLiterals {
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

interface CodeSpan {
  readonly contentStart: number;
  /** Undefined when the backticks are literal characters. */
  readonly contentEnd: number | undefined;
  readonly end: number;
}

/** The code spans of a text, found in linear time. */
class CodeSpans {
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
