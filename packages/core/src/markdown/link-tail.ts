/** How deeply parentheses in a destination may be nested, as in CommonMark's reference parser. */
const MAX_PARENTHESES = 32;

const ANGLED = /<((?:[^<>\\\n]|\\.)*)>/y;
const TITLE = /"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|\((?:[^()\\]|\\[\s\S])*\)/y;

/** `(destination "title")` after the brackets of a link. */
export interface LinkTail {
  /** The offsets of the destination, without angle brackets. */
  readonly start: number;
  readonly end: number;
  /** The offset after the closing parenthesis. */
  readonly tailEnd: number;
}

export function linkTail(text: string, at: number): LinkTail | undefined {
  if (text[at] !== "(") return undefined;
  const from = skipSpace(text, at + 1);
  if (text[from] === ")") return { start: from, end: from, tailEnd: from + 1 };
  const destination = text[from] === "<" ? angled(text, from) : bareDestination(text, from);
  if (destination === undefined) return undefined;
  const { start, end, next } = destination;
  let close = skipSpace(text, next);
  if (close > next && text[close] !== ")") {
    TITLE.lastIndex = close;
    if (!TITLE.test(text)) return undefined;
    close = skipSpace(text, TITLE.lastIndex);
  }
  return text[close] === ")" ? { start, end, tailEnd: close + 1 } : undefined;
}

interface Destination {
  readonly start: number;
  readonly end: number;
  /** The offset at which to continue. */
  readonly next: number;
}

function angled(text: string, at: number): Destination | undefined {
  ANGLED.lastIndex = at;
  const match = ANGLED.exec(text);
  if (match === null) return undefined;
  return { start: at + 1, end: ANGLED.lastIndex - 1, next: ANGLED.lastIndex };
}

/** A destination without angle brackets; its parentheses are balanced. */
export function bareDestination(text: string, at: number): Destination | undefined {
  let depth = 0;
  let end = at;
  for (; end < text.length; end++) {
    const character = text[end] as string;
    if (character <= " " || character === "\x7f") break;
    if (character === "\\" && /[!-/:-@[-`{-~]/.test(text[end + 1] ?? "")) end++;
    else if (character === "(") depth++;
    else if (character === ")" && --depth < 0) break;
    if (depth > MAX_PARENTHESES) return undefined;
  }
  const isBalanced = depth <= 0;
  return isBalanced && end > at ? { start: at, end, next: end } : undefined;
}

function skipSpace(text: string, at: number): number {
  const space = /[ \t]*(?:\n[ \t]*)?/y;
  space.lastIndex = at;
  space.test(text);
  return space.lastIndex;
}
