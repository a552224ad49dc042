/** Comments, strings, directives, words, line ends and signs of C and C++. */
export const lexemes: RegExp =
  /\/\/[^\n]*|\/\*[^*]*(?:\*(?!\/)[^*]*)*(?:\*\/)?|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?|^[ \t]*#(?:[^\n\\]|\\[\s\S])*|[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*|\n|[^\s\w]/gm;

/** Replaces ranges by blanks, without moving any character; they may overlap. */
export function withBlanks(
  source: string,
  ranges: readonly (readonly [start: number, end: number])[],
): string {
  const parts: string[] = [];
  let from = 0;
  for (const [start, end] of [...ranges].sort(([a], [b]) => a - b)) {
    if (end <= from) continue;
    const begin = Math.max(start, from);
    parts.push(source.slice(from, begin), source.slice(begin, end).replace(/\S/g, " "));
    from = end;
  }
  return parts.length === 0 ? source : parts.join("") + source.slice(from);
}
