import { lexemes, withBlanks } from "./c-source.ts";

const isMacroName: RegExp = /^[A-Z][A-Z\d_]{2,}$/;
const isCapitals: RegExp = /^[A-Z_][A-Z\d_]+$/;
const isWord: RegExp = /^[A-Za-z_]/;
const isComment: RegExp = /^\/[/*]/;
const isDirective: RegExp = /^\s*#|^\n$/;

/** Words that are neither the type nor the name of a declaration. */
const modifiers: ReadonlySet<string> = new Set([
  ...["static", "extern", "inline", "constexpr", "consteval", "constinit", "const", "volatile"],
  ...["virtual", "friend", "mutable", "register", "typedef", "typename", "thread_local", "final"],
  ...["override", "noexcept", "unsigned", "signed", "long", "short", "return", "else", "case"],
  ...["new", "delete", "throw", "goto", "sizeof"],
]);
const tags: ReadonlySet<string> = new Set(["class", "struct", "union", "enum"]);
/** Signs before which one more part of a declaration follows. */
const furtherParts: Readonly<Record<string, number>> = { "*": 1, "&": 1, "<": 1, ":": 1, "~": 2 };
/** A declaration has a type and a name. */
const partsNeeded = 2;
/** Longer lists of arguments, in words and signs, are not read. */
const mostOfArguments = 500;

interface Lexeme {
  readonly text: string;
  readonly start: number;
  readonly isFirstOnLine: boolean;
  isLastOnLine: boolean;
}

/**
 * Blanks macros of C and C++ that the grammar cannot parse, without moving any character: names in capitals alone
 * on a line, such as `BEGIN_NAMESPACE`, those beside the type and the name of a declaration, such as `EXPORT`, and those
 * around parameters, such as `OF((int a))`.
 */
export function maskMacros(source: string): string {
  const code = lexemesOf(source);
  const ranges: [start: number, end: number][] = [];
  const blank = (start: number, end: number) => ranges.push([start, end]);
  for (let index = 0; index < code.length; index++) {
    const lexeme = code[index] as Lexeme;
    if (!isWord.test(lexeme.text)) continue;
    const last = lastAlone(code, index);
    if (last !== undefined) {
      blank(lexeme.start, last.start + last.text.length);
      while (code[index] !== last) index++;
      continue;
    }
    const first = index;
    while (isWord.test(code[index + 1]?.text ?? "")) index++;
    const around = parenthesesOf(code, index);
    for (const { start, text } of around) blank(start, start + text.length);
    const signs = { before: code[first - 1]?.text, next: signAfter(code, index) };
    const end = around.length > 0 ? index : index + 1;
    for (const { start, text } of macrosIn(code.slice(first, end), signs)) {
      blank(start, start + text.length);
    }
  }
  return withBlanks(source, ranges);
}

/** The name of a macro behind that of a function, and its parentheses around those of the parameters. */
function parenthesesOf(code: readonly Lexeme[], index: number): readonly Lexeme[] {
  const [name, open, inner] = code.slice(index, index + 3);
  const before = code[index - 1]?.text ?? "";
  if (!isCapitals.test(name?.text ?? "") || !isWord.test(before) || modifiers.has(before))
    return [];
  if (open?.text !== "(" || inner?.text !== "(") return [];
  const end = endOfArguments(code, index + 1, false);
  const close = code[end];
  const isAround = end >= 0 && endOfArguments(code, index + 2, false) === end - 1;
  return isAround && name && close ? [name, open, close] : [];
}

/** Those of code, without comments and directives. */
function lexemesOf(source: string): readonly Lexeme[] {
  const code: Lexeme[] = [];
  let isFirstOnLine = true;
  for (const { 0: text, index: start } of source.matchAll(lexemes)) {
    if (isComment.test(text)) continue;
    if (isDirective.test(text)) {
      const last = code.at(-1);
      if (last !== undefined) last.isLastOnLine = true;
      isFirstOnLine = true;
      continue;
    }
    code.push({ text, start, isFirstOnLine, isLastOnLine: false });
    isFirstOnLine = false;
  }
  return code;
}

/** The last lexeme of a macro, with or without arguments, that is a statement of its own, or begins a block. */
function lastAlone(code: readonly Lexeme[], index: number): Lexeme | undefined {
  const lexeme = code[index];
  if (!lexeme?.isFirstOnLine || !isMacroName.test(lexeme.text)) return undefined;
  const [before, after] = [code[index - 1]?.text ?? ";", code[index + 1]?.text];
  if (!/^[;{}:>]$/.test(before)) return undefined;
  if (after === "{") return lexeme;
  const end = lexeme.isLastOnLine ? index : endOfArguments(code, index + 1);
  const last = code[end];
  if (last === undefined || !(last.isLastOnLine || end === code.length - 1)) return undefined;
  const next = code[end + 1]?.text ?? "}";
  const isNext = isWord.test(next) || /^[~[]$/.test(next);
  return isNext || (next === "}" && before !== "{") ? last : undefined;
}

/** The index of the parenthesis that closes arguments; of a macro, these are on one line. */
function endOfArguments(code: readonly Lexeme[], from: number, isOnOneLine = true): number {
  if (code[from]?.text !== "(") return -1;
  let depth = 0;
  for (let index = from; index < Math.min(code.length, from + mostOfArguments); index++) {
    const { text = "", isLastOnLine = true } = code[index] ?? {};
    if (text === "(") depth++;
    if (text === ")") depth--;
    if (depth === 0) return index;
    if (isLastOnLine && isOnOneLine) return -1;
  }
  return -1;
}

/** The sign after a word; `:` for a constructor with initializers. */
function signAfter(code: readonly Lexeme[], index: number): string | undefined {
  let end = endOfArguments(code, index + 1, false) + 1;
  while (modifiers.has(code[end]?.text ?? "")) end++;
  const isConstructor = end > 0 && code[end]?.text === ":";
  return isConstructor ? ":" : code[index + 1]?.text;
}

interface Signs {
  readonly before: string | undefined;
  readonly next: string | undefined;
}

/** The macros among adjacent words: names in capitals beside a type and a name. */
function macrosIn(run: readonly Lexeme[], { before = "", next = "" }: Signs): readonly Lexeme[] {
  const tag = run.findIndex(({ text }) => tags.has(text));
  const isDefinition = tag >= 0 && /^[{:]$/.test(next);
  const words = run.filter(
    ({ text }, index) =>
      !modifiers.has(text) && !tags.has(text) && (isDefinition || tag < 0 || index !== tag + 1),
  );
  const further = isDefinition ? 0 : (furtherParts[next] ?? 0);
  const others = further + (/^[*&]$/.test(before) ? 1 : 0) + (tag >= 0 ? 1 : 0);
  const parts = words.length + others;
  const mayBe = further > 0 ? words : words.slice(0, -1);
  return mayBe
    .filter(({ text }) => isMacroName.test(text))
    .slice(0, Math.max(0, parts - partsNeeded));
}
