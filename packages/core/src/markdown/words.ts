/** A part of a text to be replaced by `with`. */
export interface Cut {
  readonly start: number;
  readonly end: number;
  readonly with: string;
}

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  gt: ">",
  lt: "<",
  nbsp: "\u00A0",
  quot: '"',
};

const REFERENCE = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi;
const ESCAPE_OR_REFERENCE = new RegExp(`\\\\([!-/:-@[-\`{-~])|${REFERENCE.source}`, "gi");

/** Emphasis with underscores; a slug drops asterisks anyway. */
const UNDERSCORES = /(?<![\p{L}\p{N}_])(_{1,3})(?=[^\s_])([^_]*[^\s_])\1(?![\p{L}\p{N}_])/gu;

/** Private use characters in place of literal `_` and `&`. */
const UNDERSCORE = "\uE000";
const AMPERSAND = "\uE001";

/** Protects escaped characters and code from being read as markup. */
export function asLiteral(text: string): string {
  return text.replaceAll("_", UNDERSCORE).replaceAll("&", AMPERSAND);
}

/** The text of a heading without its markup. */
export function wordsOf(text: string, cuts: readonly Cut[]): string {
  let words = "";
  let at = 0;
  for (const cut of cuts) {
    if (cut.start < at) continue;
    words += text.slice(at, cut.start) + cut.with;
    at = cut.end;
  }
  words += text.slice(at);
  const plain = words.replace(UNDERSCORES, "$2").replaceAll(UNDERSCORE, "_");
  return plain.replace(REFERENCE, resolveReference).replaceAll(AMPERSAND, "&");
}

/** A destination with backslash escapes and character references resolved. */
export function unescapeDestination(raw: string): string {
  return raw.replace(ESCAPE_OR_REFERENCE, (whole, escaped: string | undefined, ...groups) => {
    return escaped ?? resolveReference(whole, ...(groups as (string | undefined)[]));
  });
}

function resolveReference(whole: string, ...groups: readonly (string | undefined)[]): string {
  const [decimal, hex, name] = groups;
  if (name !== undefined) return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? whole) : whole;
  const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "\uFFFD";
}
