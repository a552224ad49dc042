import type { Unit } from "./unit.ts";

/** A lexical token, or a word of prose. */
export interface Token {
  /** Normalised, so that quotes, number spellings and whitespace are independent of formatters. */
  readonly text: string;
  /** Does it count in comparisons? Not `;`, `,` and parentheses, which formatters add and drop. */
  readonly counts: boolean;
  /** 0-based. */
  readonly line: number;
  /** Offset in UTF-16 code units. */
  readonly start: number;
  /** 0-based line of its last character. */
  readonly endLine: number;
  /** 32-bit hash of the text. */
  readonly hash: number;
  readonly unit: Unit;
}

const dropped: ReadonlySet<string> = new Set([
  ...[";", ",", "(", ")", "|", "&", ""],
  // `let` and `const` may change without changing the declaration.
  ...["var", "let", "const"],
]);

/** Whether a token counts in comparisons, because no formatter drops it. */
export function tokenCounts(text: string): boolean {
  return !dropped.has(text);
}

/** Is it a name, a number or a string, rather than punctuation? */
export function isDistinctive(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

const stringLiteral: RegExp = /^[A-Za-z@$]{0,3}("""|'''|["'`])([\s\S]*)\1$/;
/** A directive, such as `#  if`: blanks after its sign only indent it. */
const directive: RegExp = /^#[ \t]+(?=\w+$)/;
const rawLiteral: RegExp = /^[A-Za-z$]*[rR@]/;
/** Longer strings are data rather than prose. */
const longestText = 20_000;
/** Longer tokens are truncated: enough to compare, without the text of a whole file. */
const longestToken = 60;

/** The normalised text of a leaf of a syntax tree. */
export function normalise(raw: string): string {
  const first = raw.charCodeAt(0);
  const isNumber = (first >= 48 && first <= 57) || (first === 46 && raw.length > 1);
  if (isNumber) return normaliseNumber(raw);
  if (!/["'`\s\\]/.test(raw)) return cut(raw);
  if (directive.test(raw)) return cut(raw.replace(directive, "#"));
  const content = stringLiteral.exec(raw)?.[2];
  if (content === undefined) return cut(raw.replace(/\s+/g, " ").trim());
  return ofString(unescaped(content, raw));
}

/** What a string has between its quotes; what would not count elsewhere, such as `,` or nothing, counts in one. */
function ofString(content: string): string {
  const text = cut(content);
  return tokenCounts(text) ? text : `"${text}"`;
}

const escaped: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/** The same text may be written with escapes, as a raw string, or over several lines. */
function unescaped(content: string, literal: string): string {
  if (rawLiteral.test(literal)) return content;
  return content.replace(/\\(\r\n|[\s\S])/g, (whole, char: string) => {
    if (/["'`\\]/.test(char)) return char;
    return /[\r\n]/.test(char) ? "" : (escaped[char] ?? whole);
  });
}

/** Blanks between words of a string, as they count: not a single space, nor a line end with its indentation. */
function blanksOf(run: string, literal: string): string {
  const text = unescaped(run, literal);
  return text === " " || /[\r\n]/.test(run) ? "" : text;
}

/** A word of a string: its offsets in the string, and its normalised text. */
interface WordOfString {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * The words of a string between its quotes, which become words without text; undefined for a string without
 * spaces. A word begins with the blanks before it, unless a formatter may change these.
 */
export function wordsOfString(raw: string): readonly WordOfString[] | undefined {
  if (raw.length > longestText || !/\s|\\[nrt]/.test(raw) || directive.test(raw)) return undefined;
  const found = stringLiteral.exec(raw);
  if (found !== null && /^(?:\s|\\[nrt])*$/.test(found[2] ?? "")) return undefined;
  const [quote = "", content = raw] = found === null ? [] : found.slice(1);
  const first = raw.length - quote.length - content.length;
  const words: WordOfString[] = first === 0 ? [] : [{ from: 0, to: first, text: "" }];
  let blanks = "";
  for (const match of content.matchAll(/((?:\\[nrt]|\s)+)|((?:\\(?:\r\n|[^nrt])|[^\s\\])+)/g)) {
    const [part, run] = match;
    const from = first + match.index;
    if (run === undefined) {
      const text = quote === "" ? normalise(part) : ofString(blanks + unescaped(part, raw));
      words.push({ from, to: from + part.length, text });
      blanks = "";
    } else if (quote !== "") {
      const isAtEnd = match.index === 0 || match.index + part.length === content.length;
      blanks = run === " " && isAtEnd ? " " : blanksOf(run, raw);
    }
  }
  if (blanks !== "")
    words.push({ from: first + content.length, to: first + content.length, text: blanks });
  if (quote !== "") words.push({ from: raw.length - quote.length, to: raw.length, text: "" });
  return words.length === 0 ? undefined : words;
}

function normaliseNumber(raw: string): string {
  const value = Number(raw);
  return Number.isFinite(value) ? String(value) : raw.toLowerCase();
}

function cut(text: string): string {
  if (text.length <= longestToken) return ownText(text);
  return ownText(`${text.slice(0, 40)}…${hashText(text).toString(36)}`);
}

/** V8 copies substrings up to this length instead of referring to their parent. */
const longestOwnText = 12;

/** A copy of a substring that does not retain its parent string in memory. */
export function ownText(part: string): string {
  if (part.length <= longestOwnText) return part;
  const own: unknown = JSON.parse(JSON.stringify(part));
  return String(own);
}

/** FNV-1a over UTF-16 code units; unsigned 32 bits. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
