import type { LeafTraits } from "./string-content.ts";
import { wordsOfString } from "./string-words.ts";
import { hashText, normalise, type Token, tokenCounts } from "./token.ts";
import type { Unit, UnitTree } from "./unit.ts";

/** A unit under construction. */
export interface OpenUnit extends Unit {
  type: string;
  name: string | undefined;
  parent: OpenUnit | undefined;
  children: OpenUnit[];
  tokens: Token[];
  first: Token | undefined;
  last: Token | undefined;
  size: number;
  hash: string;
  head: string;
}

/** Collects units and tokens in source order, then computes sizes and hashes. */
export class UnitBuilder {
  readonly root: OpenUnit;
  readonly #source: string;
  readonly #language: string;
  readonly #lines: readonly string[];
  readonly #lineStarts: readonly number[];
  readonly #units: OpenUnit[] = [];
  readonly #tokens: Token[] = [];
  /** Tokens beside the head of their unit. */
  readonly #beside = new Set<Token>();
  #line = 0;
  /** Are the next tokens beside the head of their unit, such as those of an annotation? */
  isBesideHead = false;

  constructor(source: string, language: string) {
    this.#source = source;
    this.#language = language;
    this.#lines = source.split(/\r\n|\r|\n/);
    this.#lineStarts = startsOfLines(source);
    this.root = this.open("file", undefined);
  }

  /** The number of units so far. */
  get count(): number {
    return this.#units.length;
  }

  /** Opens a unit inside another; its content must follow all content added before. */
  open(type: string, parent: OpenUnit | undefined): OpenUnit {
    const unit: OpenUnit = {
      index: this.#units.length,
      type,
      name: undefined,
      parent,
      children: [],
      tokens: [],
      first: undefined,
      last: undefined,
      size: 0,
      hash: "",
      head: "",
    };
    this.#units.push(unit);
    parent?.children.push(unit);
    return unit;
  }

  /** Adds a leaf of the source, by offsets. */
  add(unit: OpenUnit, start: number, end: number, traits?: LeafTraits): void {
    this.#push(unit, start, end, normalise(this.#source.slice(start, end), traits));
  }

  /** Adds a leaf with spaces, such as a string, word by word, so that partly changed texts still match. */
  addString(unit: OpenUnit, start: number, end: number, traits?: LeafTraits): void {
    const words = wordsOfString(this.#source.slice(start, end), traits);
    if (words === undefined) this.add(unit, start, end, traits);
    for (const { from, to, text } of words ?? []) this.#push(unit, start + from, start + to, text);
  }

  #push(unit: OpenUnit, start: number, end: number, text: string): void {
    const token: Token = {
      text,
      counts: tokenCounts(text),
      line: this.#lineOf(start),
      endLine: this.#lineOf(end > start ? end - 1 : start),
      start,
      hash: hashOfToken(text),
      unit,
    };
    this.#tokens.push(token);
    if (this.isBesideHead) this.#beside.add(token);
    unit.tokens.push(token);
    for (let owner: OpenUnit | undefined = unit; owner !== undefined; owner = owner.parent) {
      owner.first ??= token;
      owner.last = token;
    }
  }

  /** Adds each word of a range of prose as a token. */
  addWords(unit: OpenUnit, start: number, end: number): void {
    const words = /\S+/g;
    const text = this.#source.slice(start, end);
    for (let match = words.exec(text); match !== null; match = words.exec(text)) {
      this.add(unit, start + match.index, start + words.lastIndex);
    }
  }

  finish(): UnitTree {
    for (const unit of this.#units.slice().reverse()) seal(unit, this.#beside);
    return {
      language: this.#language,
      units: this.#units,
      tokens: this.#tokens,
      lines: this.#lines,
      hash: hashOfSource(this.#source),
    };
  }

  /** Searches from the last line, since leaves come nearly in order. */
  #lineOf(offset: number): number {
    const starts = this.#lineStarts;
    while (this.#line > 0 && (starts[this.#line] ?? 0) > offset) this.#line--;
    while (this.#line + 1 < starts.length && (starts[this.#line + 1] ?? 0) <= offset) this.#line++;
    return this.#line;
  }
}

/**
 * Hash of a source, including its line ends and byte order mark: 62 bits and the length modulo 36, in 13
 * characters. Sources with equal hashes are treated as identical.
 */
export function hashOfSource(source: string): string {
  let a = 0x811c9dc5;
  let b = 0x9e3779b9;
  for (let index = 0; index < source.length; index++) {
    const code = source.charCodeAt(index);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x85ebca6b) ^ (b >>> 13);
  }
  return fold(a, b) + (source.length % 36).toString(36);
}

function startsOfLines(source: string): readonly number[] {
  const starts = [0];
  const ends = /\r\n|\r|\n/g;
  while (ends.exec(source) !== null) starts.push(ends.lastIndex);
  return starts;
}

/** Signed 32-bit, because engines allocate larger numbers on the heap, and a source may have 100,000s of tokens. */
function hashOfToken(text: string): number {
  return hashText(text) | 0;
}

/** Seal children before their parents, whose hashes include theirs. */
function seal(unit: OpenUnit, besideHead: ReadonlySet<Token>): void {
  const own = lastIdentifier(unit.name);
  const tokens = unit.tokens.filter((token) => !besideHead.has(token));
  const isWhole = unit.children.length === 0 && tokens.length === unit.tokens.length;
  unit.head = isWhole ? "" : digest({ tokens, children: [] }, own);
  unit.hash = digest(unit, own);
  unit.size = unit.tokens.filter(({ counts }) => counts).length + sizeInside(unit);
}

function sizeInside(unit: OpenUnit): number {
  return unit.children.reduce((sum, child) => (isProse(child) ? sum : sum + child.size), 0);
}

/** Comments do not count towards the enclosing unit. */
function isProse({ type }: { readonly type: string }): boolean {
  return type === "comment";
}

/** The last identifier of a name: `run` of `exports.run`. */
export function lastIdentifier(name: string | undefined): string | undefined {
  return name && /(?<![\p{L}\p{N}_$-])[\p{L}\p{N}_$-]+$/u.exec(name)?.[0];
}

function digest(content: Content, own: string | undefined): string {
  const ownHash = own === undefined ? undefined : hashOfToken(own);
  const state = { a: 0x811c9dc5, b: 0x9e3779b9 };
  mix(content, ownHash, state);
  return fold(state.a, state.b);
}

/** The own tokens of a unit, and the units inside that count. */
type Content = Pick<OpenUnit, "tokens" | "children">;

interface HashState {
  a: number;
  b: number;
}

function mix({ tokens, children }: Content, ownHash: number | undefined, state: HashState): void {
  let next = 0;
  for (const token of tokens) {
    for (; (children[next]?.first?.start ?? token.start) < token.start; next++) {
      mixChild(children[next], ownHash, state);
    }
    if (!token.counts) continue;
    const hash = token.hash === ownHash ? 7 : token.hash;
    state.a = Math.imul(state.a ^ hash, 0x01000193) ^ (state.a >>> 15);
    state.b = Math.imul(state.b ^ hash, 0x85ebca6b) ^ (state.b >>> 13);
  }
  for (; next < children.length; next++) mixChild(children[next], ownHash, state);
}

function mixChild(
  child: OpenUnit | undefined,
  ownHash: number | undefined,
  state: HashState,
): void {
  if (child !== undefined && !isProse(child)) mix(child, ownHash, state);
}

/** 12 characters of 62 bits. */
function fold(a: number, b: number): string {
  const high = (a >>> 0).toString(36).padStart(7, "0").slice(-6);
  const low = (b >>> 0).toString(36).padStart(7, "0").slice(-6);
  return high + low;
}
