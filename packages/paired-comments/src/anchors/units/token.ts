import type { Unit } from "./unit.ts";

/** The smallest piece of a source that has a meaning. */
export interface Token {
  /** Normalised: quotes, number spellings and whitespace as no formatter changes them. */
  readonly text: string;
  /** Does it tell units apart? Formatters add and drop `;`, `,` and parentheses. */
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
  // A variable that becomes a constant is the same.
  ...["var", "let", "const"],
]);

/** Whether formatters leave this token alone. */
export function tokenCounts(text: string): boolean {
  return !dropped.has(text);
}

/** Is it a name, a number or a string, rather than a sign? */
export function tokenTells(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

const stringLiteral: RegExp = /^[A-Za-z@$]{0,3}("""|'''|["'`])([\s\S]*)\1$/;
/** Longer strings are data, not text that people read. */
const longestText = 20_000;
/** `[ ]` is a mark. */
const shortestText = 4;
/** What stays of a token that is longer: enough to compare, without the text of a whole file. */
const longestToken = 60;

/** The text of a leaf of a syntax tree as it is compared. */
export function normalise(raw: string): string {
  const first = raw.charCodeAt(0);
  const isNumber = (first >= 48 && first <= 57) || (first === 46 && raw.length > 1);
  if (isNumber) return normaliseNumber(raw);
  if (!/["'`\s\\]/.test(raw)) return cut(raw);
  const content = stringLiteral.exec(raw)?.[2] ?? raw;
  return cut(
    content
      // One and the same text is written with escapes, as a raw string, and over several lines.
      .replace(/\\\r?\n/g, "")
      .replace(/\\[nrt]|\s+/g, " ")
      .replace(/\\/g, "")
      .replace(/ {2,}/g, " ")
      .trim(),
  );
}

/** A word of a string: where it is in the string, and its text as it is compared. */
interface WordOfString {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * The words of a string, between its quotes, which have no text; undefined for one without spaces. A line
 * end is the same whether it is escaped or not.
 */
export function wordsOfString(raw: string): readonly WordOfString[] | undefined {
  if (raw.length < shortestText || raw.length > longestText) return undefined;
  if (!/\s|\\[nrt]/.test(raw)) return undefined;
  const found = stringLiteral.exec(raw);
  const [quote = "", content = raw] = found === null ? [] : found.slice(1);
  const first = raw.length - quote.length - content.length;
  const words: WordOfString[] = first === 0 ? [] : [{ from: 0, to: first, text: "" }];
  for (const match of content.matchAll(/\\[nrt]|((?:\\(?:\r\n|[^nrt])|[^\s\\])+)/g)) {
    const [word, said] = match;
    if (said === undefined) continue;
    const from = first + match.index;
    words.push({ from, to: from + word.length, text: normalise(word) });
  }
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

/** V8 makes shorter parts of a text texts of their own. */
const longestOwnText = 12;

/** The same text, which does not keep in memory the one that it is a part of. */
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
