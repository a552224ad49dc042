import { contentOf, type LeafTraits, unescaped } from "./string-content.ts";
import type { Unit } from "./unit.ts";

/** A lexical token, or a word of prose. */
export interface Token {
  /** Normalised: independent of Unicode's normal forms, and of quotes, spellings of numbers and whitespace. */
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

/** A directive, such as `#  if`: blanks after its sign only indent it. */
const directive: RegExp = /^#[ \t]+(?=\w+$)/;
/** Longer tokens are truncated: enough to compare, without the text of a whole file. */
const longestToken = 60;

/** Is it a directive with blanks after its sign? */
export function isDirective(raw: string): boolean {
  return directive.test(raw);
}

/** The normalised text of a leaf of a syntax tree. */
export function normalise(raw: string, traits?: LeafTraits): string {
  const first = raw.charCodeAt(0);
  const isNumber = (first >= 48 && first <= 57) || (first === 46 && raw.length > 1);
  const text = isNumber && !traits?.isInString ? undefined : contentOf(raw, traits);
  if (text !== undefined) return ofString(unescaped(text.content, text.isRaw));
  if (isNumber) return normaliseNumber(raw);
  if (!/["'`\s\\]/.test(raw)) return cut(raw);
  if (isDirective(raw)) return cut(raw.replace(directive, "#"));
  return cut(raw.replace(/\s+/g, " ").trim());
}

/** The text of a string between its quotes; in a string, `,` or an empty text counts, too. */
export function ofString(content: string): string {
  const text = cut(content);
  return tokenCounts(text) ? text : `"${text}"`;
}

function normaliseNumber(raw: string): string {
  const value = Number(raw);
  return Number.isFinite(value) ? String(value) : raw.toLowerCase();
}

function cut(raw: string): string {
  const text = raw.normalize();
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
