const token: RegExp =
  /(")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)|([{}[\],:])/uy;
/** In pieces, since a search through a string of megabytes overflows the stack. */
const stringPiece: RegExp =
  /(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4})){1,4096}/uy;

/** The expected next token. */
type Expected = "value" | "value-or-end" | "key" | "key-or-end" | "colon" | "comma-or-end";

/** Offset of the first invalid character of JSON; not all engines report it. */
export function findJsonError(text: string): number {
  const open: string[] = [];
  let expected: Expected = "value";
  let end = 0;
  for (;;) {
    const start = afterSpace(text, end);
    token.lastIndex = start;
    const match = token.exec(text);
    if (match === null) return start;
    const last = match[1] === undefined ? token.lastIndex : endOfString(text, token.lastIndex);
    if (last === undefined) return start;
    const next = step(expected, kindOf(match), open);
    if (next === undefined) return start;
    expected = next;
    end = last;
    if (open.length === 0 && expected === "comma-or-end") return afterSpace(text, end);
  }
}

/** Undefined if the string is not closed. */
function endOfString(text: string, from: number): number | undefined {
  stringPiece.lastIndex = from;
  let end = from;
  while (stringPiece.test(text)) end = stringPiece.lastIndex;
  return text[end] === '"' ? end + 1 : undefined;
}

function afterSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charAt(at).trim() === "") at += 1;
  return at;
}

function kindOf([, string, literal, mark]: RegExpExecArray): string {
  if (string !== undefined) return "string";
  return literal === undefined ? (mark ?? "") : "literal";
}

/** The state after one token; undefined if the token is not allowed. */
function step(expected: Expected, kind: string, open: string[]): Expected | undefined {
  const isKey = expected === "key" || expected === "key-or-end";
  if (isKey && kind === "string") return "colon";
  if (expected === "colon") return kind === ":" ? "value" : undefined;
  if (kind === "}" || kind === "]") return close(expected, kind, open);
  if (expected === "comma-or-end") {
    return kind === "," ? (open.at(-1) === "{" ? "key" : "value") : undefined;
  }
  if (isKey) return undefined;
  if (kind === "string" || kind === "literal") return "comma-or-end";
  if (kind !== "{" && kind !== "[") return undefined;
  open.push(kind);
  return kind === "{" ? "key-or-end" : "value-or-end";
}

function close(expected: Expected, kind: string, open: string[]): Expected | undefined {
  const isOpen = open.at(-1) === (kind === "}" ? "{" : "[");
  if (!isOpen || !expected.endsWith("-or-end")) return undefined;
  open.pop();
  return "comma-or-end";
}
