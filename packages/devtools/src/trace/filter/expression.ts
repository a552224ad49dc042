import { type FilterTerm, readTerm } from "./terms.ts";

/** A filter as a tree. */
export type FilterNode =
  | { readonly kind: "and" | "or"; readonly parts: readonly FilterNode[] }
  | { readonly kind: "not"; readonly part: FilterNode }
  | { readonly kind: "term"; readonly term: FilterTerm }
  | (FilterPlace & { readonly kind: "regex"; readonly regex: FilterRegex });

/** A regular expression of a filter. */
export interface FilterRegex {
  /** As it was typed, such as `/openD.ff/i`. */
  readonly source: string;
  readonly pattern: string;
  readonly flags: string;
}

/** A part of the source, in UTF-16 units. */
export interface FilterPlace {
  readonly from: number;
  readonly to: number;
}

/** A syntax error: its place, and what was expected. */
export class FilterFault extends Error {
  readonly place: FilterPlace;

  constructor(place: FilterPlace, issue: string) {
    super(issue);
    this.place = place;
  }
}

const MAX_DEPTH = 50;

/** Operators of other languages; searched for only in quotes. */
const foreign: Readonly<Record<string, string>> = {
  ...{ or: "OR", "||": "OR", "|": "OR", and: "a space", "&&": "a space", "&": "a space" },
  ...{ not: "NOT", "-": "NOT", "!": "NOT" },
};

/**
 * Reads a filter: terms separated by spaces, all of which must match; `OR`, which binds less; `NOT`, `-` or `!`
 * before a term or a group; `AND`; groups in `( )`; `/regex/flags`.
 * @throws FilterFault
 */
export function parseExpression(source: string): FilterNode {
  const reader = new ExpressionReader(source);
  return reader.read();
}

class ExpressionReader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  read(): FilterNode {
    const node = this.#readOr(0);
    if (this.#at < this.#source.length) this.#fail(1, '")" without a "(" before it');
    return node;
  }

  #readOr(depth: number): FilterNode {
    const parts = [this.#readAnd(depth)];
    while (this.#takeWord("OR")) parts.push(this.#readAnd(depth));
    const [only] = parts;
    if (parts.length === 1 && only !== undefined) return only;
    if (parts.some(isEmpty)) this.#fail(0, "OR needs a term on both sides");
    return { kind: "or", parts };
  }

  #readAnd(depth: number): FilterNode {
    const parts: FilterNode[] = [];
    for (;;) {
      this.#skipSpace();
      if (this.#at >= this.#source.length || this.#peek() === ")" || this.#isWord("OR")) break;
      if (this.#takeWord("AND")) this.#demandTerm("AND", parts.length > 0);
      parts.push(this.#readUnary(depth));
    }
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : { kind: "and", parts };
  }

  #readUnary(depth: number): FilterNode {
    if (depth > MAX_DEPTH) this.#fail(1, `at most ${MAX_DEPTH} groups may be nested`);
    if (this.#takeWord("NOT")) {
      this.#demandTerm("NOT", true);
      return { kind: "not", part: this.#readUnary(depth + 1) };
    }
    const sign = this.#peek();
    const isNegated = (sign === "-" || sign === "!") && /[^\s)]/.test(this.#peek(1));
    if (isNegated) {
      this.#at += 1;
      return { kind: "not", part: this.#readUnary(depth + 1) };
    }
    if (sign === "(") return this.#readGroup(depth);
    if (sign === "/") return this.#readRegex();
    return this.#readTerm();
  }

  #readGroup(depth: number): FilterNode {
    const from = this.#at;
    this.#at += 1;
    const node = this.#readOr(depth + 1);
    if (this.#peek() !== ")") throw fault(from, 1, 'unclosed "("');
    this.#at += 1;
    if (isEmpty(node)) throw fault(from, this.#at - from, "a group needs a term");
    return node;
  }

  #readRegex(): FilterNode {
    const from = this.#at;
    const advice = 'quote text that contains "/"';
    let isClass = false;
    for (let at = from + 1; at < this.#source.length; at += 1) {
      const char = this.#source.charAt(at);
      if (char === "\\") at += 1;
      else if (char === "[") isClass = true;
      else if (char === "]") isClass = false;
      else if (char === "/" && !isClass) {
        const [flags = ""] = /^[^\s)]*/.exec(this.#source.slice(at + 1)) ?? [];
        this.#at = at + 1 + flags.length;
        if (!/^[imsu]*$/.test(flags) || new Set(flags).size < flags.length) {
          const issue = `after /regex/ only i, m, s or u, each once; got ${JSON.stringify(flags)}; ${advice}`;
          throw fault(at + 1, flags.length, issue);
        }
        const pattern = this.#source.slice(from + 1, at);
        if (pattern === "") throw fault(from, 2, `a regular expression is empty; ${advice}`);
        const source = this.#source.slice(from, this.#at);
        return { kind: "regex", regex: { source, pattern, flags }, from, to: this.#at };
      }
    }
    throw fault(from, 1, `unclosed "/" at column ${from + 1}; close it, or ${advice}`);
  }

  #readTerm(): FilterNode {
    const from = this.#at;
    let quoted = false;
    let open = 0;
    let at = from;
    for (; at < this.#source.length; at += 1) {
      const char = this.#source.charAt(at);
      if (char === '"') quoted = !quoted;
      if (quoted) continue;
      if (isSpace(char) || (char === ")" && open === 0)) break;
      if (char === "(") open += 1;
      if (char === ")") open -= 1;
    }
    const text = this.#source.slice(from, at);
    if (quoted) {
      const quote = from + text.lastIndexOf('"');
      throw fault(quote, 1, `unclosed quote at column ${quote + 1}`);
    }
    const better = Object.hasOwn(foreign, text.toLowerCase())
      ? foreign[text.toLowerCase()]
      : undefined;
    if (better !== undefined) {
      const issue = `${JSON.stringify(text)} is not an operator: write ${better}, or quote it`;
      throw fault(from, text.length, issue);
    }
    this.#at = at;
    return { kind: "term", term: readTerm(text, from) };
  }

  /** Requires the operands of an operator. */
  #demandTerm(operator: string, hasLeft: boolean): void {
    this.#skipSpace();
    const isEnd = this.#at >= this.#source.length || this.#peek() === ")";
    if (isEnd || this.#isWord("OR") || this.#isWord("AND") || !hasLeft) {
      const sides = operator === "NOT" ? "a term after it" : "a term on both sides";
      this.#fail(0, `${operator} needs ${sides}`);
    }
  }

  #isWord(word: string): boolean {
    const rest = this.#source.slice(this.#at, this.#at + word.length + 1);
    return rest.startsWith(word) && /^$|[\s()]/.test(rest.slice(word.length));
  }

  #takeWord(word: string): boolean {
    this.#skipSpace();
    if (!this.#isWord(word)) return false;
    this.#at += word.length;
    return true;
  }

  #skipSpace(): void {
    while (isSpace(this.#peek())) this.#at += 1;
  }

  #peek(offset = 0): string {
    return this.#source.charAt(this.#at + offset);
  }

  #fail(length: number, issue: string): never {
    throw fault(this.#at, length, issue);
  }
}

function fault(from: number, length: number, issue: string): FilterFault {
  return new FilterFault({ from, to: from + length }, issue);
}

function isEmpty(node: FilterNode): boolean {
  return node.kind === "and" && node.parts.length === 0;
}

function isSpace(char: string): boolean {
  return char === " " || char === "\t" || char === "\n";
}
