const opener: RegExp = /[?*+@!]\(/g;
/** Longer patterns are not read. */
const longest = 500;
/** Where a line or a string may end: a pattern contains none of these. */
const mayEnd: ReadonlySet<string> = new Set(["\n", '"', "'", "`"]);

/** Replaces patterns such as `!(-*)`, which the grammar of shells cannot parse, by words, without moving any character. */
export function maskShell(source: string): string {
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
