const opener: RegExp = /[?*+@!]\(/g;
/** Longer patterns are not read. */
const longest = 500;
/** Where a line or a string may end: a pattern contains none of these. */
const mayEnd: ReadonlySet<string> = new Set(["\n", '"', "'", "`"]);

/** `0x` or `16#` in front of an expansion. */
const base: RegExp = /(?<![\w#])(?:0[xX]|\d{1,2}#)(?=\$)/g;

/**
 * Replaces what the grammar of shells cannot parse, without moving any character: patterns such as `!(-*)` become
 * words, `<>` becomes `>>`, and the base of a number that is an expansion is blank.
 */
export function maskShell(source: string): string {
  return withoutPatterns(source)
    .replaceAll("<>", ">>")
    .replace(base, (text) => " ".repeat(text.length));
}

function withoutPatterns(source: string): string {
  const parts: string[] = [];
  let from = 0;
  for (const { index } of source.matchAll(opener)) {
    const end = index < from ? undefined : endOfPattern(source, index + 1);
    if (end === undefined) continue;
    parts.push(source.slice(from, index), "x".repeat(end - index));
    from = end;
  }
  return parts.length === 0 ? source : parts.join("") + source.slice(from);
}

/** The offset behind the parenthesis that closes one. */
function endOfPattern(source: string, open: number): number | undefined {
  let depth = 0;
  for (let at = open; at < Math.min(source.length, open + longest); at++) {
    const char = source.charAt(at);
    if (mayEnd.has(char)) return undefined;
    if (char === "(") depth++;
    if (char === ")") depth--;
    if (depth === 0) return at + 1;
  }
  return undefined;
}
