/** Open and closing tags, instructions, declarations: CommonMark 0.31, section 6.6. */
const TAG =
  /<(?:[a-z][a-z0-9-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?|\/[a-z][a-z0-9-]*\s*|![a-z][^>]*)>/iy;

const AUTOLINK =
  /<(?:[a-z][a-z0-9+.-]{1,31}:[^\s<>]*|[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9][a-z0-9.-]*)>/iy;

/** Where what starts with `<!--`, `<?` and `<![CDATA[` ends. */
const DELIMITED: readonly (readonly [start: string, end: string])[] = [
  ["<!--", "-->"],
  ["<?", "?>"],
  ["<![CDATA[", "]]>"],
];

/** No tag or autolink is looked at for longer. */
const MAX_TAG = 4_000;

export interface Literal {
  readonly end: number;
  readonly isHtml: boolean;
}

/** What starts with `<` and is taken as it stands: tags, comments, autolinks. */
export class InlineLiterals {
  readonly #text: string;
  /** The ends that do not come any more: so that nobody looks for them again and again. */
  readonly #absent = new Set<string>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Undefined for a mere `<`; it has to be asked for from left to right. */
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
  /** Undefined when the backticks are mere characters. */
  readonly contentEnd: number | undefined;
  readonly end: number;
}

/** The runs of backticks in a text, so that each is looked at once. */
export class CodeSpans {
  readonly #text: string;
  /** Where the runs of each length start, the last one first. */
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

  /** Of the run that starts here; it has to be asked for from left to right. */
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
