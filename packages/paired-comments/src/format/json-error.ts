const token: RegExp =
  /\s*(?:("(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)|([{}[\],:]))/uy;

/** What may come next. */
type Expected = "value" | "value-or-end" | "key" | "key-or-end" | "colon" | "comma-or-end";

/** Offset of the first character that makes a text no JSON: engines do not all tell. */
export function findJsonError(text: string): number {
  const open: string[] = [];
  let expected: Expected = "value";
  token.lastIndex = 0;
  for (;;) {
    const from = token.lastIndex;
    const match = token.exec(text);
    const start = from + (/^\s*/.exec(text.slice(from, from + 10_000))?.[0].length ?? 0);
    if (match === null) return start;
    const next = step(expected, kindOf(match), open);
    if (next === undefined) return start;
    expected = next;
    if (open.length === 0 && expected === "comma-or-end") {
      const rest = text.slice(token.lastIndex);
      return token.lastIndex + (rest.length - rest.trimStart().length);
    }
  }
}

function kindOf([, string, literal, mark]: RegExpExecArray): string {
  if (string !== undefined) return "string";
  return literal === undefined ? (mark ?? "") : "literal";
}

/** Follows one token; undefined where it must not be. */
function step(expected: Expected, kind: string, open: string[]): Expected | undefined {
  const isKey = expected === "key" || expected === "key-or-end";
  if (isKey && kind === "string") return "colon";
  if (expected === "colon") return kind === ":" ? "value" : undefined;
  if (kind === "}" || kind === "]") return end(expected, kind, open);
  if (expected === "comma-or-end") {
    return kind === "," ? (open.at(-1) === "{" ? "key" : "value") : undefined;
  }
  if (isKey) return undefined;
  if (kind === "string" || kind === "literal") return "comma-or-end";
  if (kind !== "{" && kind !== "[") return undefined;
  open.push(kind);
  return kind === "{" ? "key-or-end" : "value-or-end";
}

function end(expected: Expected, kind: string, open: string[]): Expected | undefined {
  const isOpen = open.at(-1) === (kind === "}" ? "{" : "[");
  if (!isOpen || !expected.endsWith("-or-end")) return undefined;
  open.pop();
  return "comma-or-end";
}
