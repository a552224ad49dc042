const SPACE = /[ \t\n\r]*/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
/** A bounded part of a string: an unbounded repetition would exhaust the stack. */
const CHARACTERS =
  // Without the control characters, which JSON forbids in texts.
  /(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4})){1,4096}/y;

/** The kinds of tokens that may follow. */
type Wanted =
  | "value"
  | "value-or-end"
  | "name"
  | "name-or-end"
  | "colon"
  | "more-or-end"
  | "nothing";

/**
 * Where a text stops being JSON, in UTF-16 units; its length when it is complete or truncated. JavaScript
 * engines report the position in different ways, or not at all.
 */
export function findJsonError(text: string): number {
  const open: ("{" | "[")[] = [];
  let wanted: Wanted = "value";
  let at = 0;
  for (;;) {
    at += lengthOf(SPACE, text, at);
    const char = text.charAt(at);
    const length = lengthOfToken(char, text, at);
    const next: Wanted | undefined = length === 0 ? undefined : step(wanted, char, open);
    if (next === undefined) return at;
    wanted = next;
    at += length;
  }
}

function lengthOfToken(char: string, text: string, start: number): number {
  if (isPunctuation(char)) return 1;
  if (char !== '"') return lengthOf(SCALAR, text, start);
  let at = start + 1;
  for (let length = -1; length !== 0; at += length) length = lengthOf(CHARACTERS, text, at);
  return text[at] === '"' ? at + 1 - start : 0;
}

function isPunctuation(char: string): boolean {
  return char !== "" && "{}[],:".includes(char);
}

function lengthOf(token: RegExp, text: string, at: number): number {
  token.lastIndex = at;
  return token.exec(text)?.[0].length ?? 0;
}

/** The kind of token that may follow one that starts with `char`; undefined when that one is not allowed. */
function step(wanted: Wanted, char: string, open: ("{" | "[")[]): Wanted | undefined {
  const after = (): Wanted => (open.length === 0 ? "nothing" : "more-or-end");
  const isValue = wanted === "value" || wanted === "value-or-end";
  const isName = wanted === "name" || wanted === "name-or-end";
  switch (char) {
    case "{":
    case "[":
      if (!isValue) return undefined;
      open.push(char);
      return char === "{" ? "name-or-end" : "value-or-end";
    case "}":
    case "]": {
      const mayEnd =
        wanted === "more-or-end" || wanted === "value-or-end" || wanted === "name-or-end";
      if (!mayEnd || open.at(-1) !== (char === "}" ? "{" : "[")) return undefined;
      open.pop();
      return after();
    }
    case ",":
      if (wanted !== "more-or-end") return undefined;
      return open.at(-1) === "{" ? "name" : "value";
    case ":":
      return wanted === "colon" ? "value" : undefined;
    default:
      if (isName) return char === '"' ? "colon" : undefined;
      return isValue ? after() : undefined;
  }
}
