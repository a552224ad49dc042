import type { Diagnostic } from "@idewire/core";
import { relativeTo, TextLines } from "@idewire/core/internal";
import type { DiagnosticSource } from "../diagnostic-source.ts";
import { isJsonLines, jsonDialect } from "./json-dialect.ts";
import { deepBracket, tooDeep } from "./nesting.ts";
import { isTemplate } from "./template.ts";

/** After jsonc-parser's names. */
const MESSAGES: Readonly<Record<string, string>> = {
  CloseBraceExpected: "A closing brace } is missing",
  CloseBracketExpected: "A closing bracket ] is missing",
  ColonExpected: "A colon is missing after the property name",
  CommaExpected: "A comma is missing",
  EndOfFileExpected: "Nothing may follow the value",
  InvalidCharacter: "A control character must be escaped",
  InvalidCommentToken: "JSON has no comments",
  InvalidEscapeCharacter: "This is not an escape sequence of JSON",
  InvalidNumberFormat: "This is not a number of JSON",
  InvalidSymbol: "This is not a value of JSON",
  InvalidUnicode: "\\u must be followed by four hexadecimal digits",
  PropertyNameExpected: "A property name in double quotes is expected",
  UnexpectedEndOfComment: "Unterminated comment",
  UnexpectedEndOfNumber: "Unterminated number",
  UnexpectedEndOfString: "Unterminated string",
  ValueExpected: "A value is expected",
};

/** Checks JSON syntax, as the readers of the file parse it. */
export const jsonSource: DiagnosticSource = {
  name: "json",
  accepts: (path) => /\.jsonc?$/i.test(path),
  async check(path, text, { folder }) {
    const dialect = jsonDialect(relativeTo(folder, path), text);
    const isLenient = dialect === "comments" || dialect === "lines";
    const faults = await findFaults(dialect === "lines" ? withoutBreaks(text) : text, isLenient);
    if (faults.length === 0 || isTemplate(text) || isJsonLines(text)) return [];
    if (dialect !== "standard") return faults;
    // Its readers are unknown: some may accept what strict ones refuse.
    const common = await findFaults(text, true);
    return common.length > 0 ? faults : faults.map(toWarning);
  },
};

const COMMENT_OR_STRING = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)/g;

/** The text with its strings in one line each, with the same offsets. */
function withoutBreaks(text: string): string {
  return text.replace(COMMENT_OR_STRING, (piece) => {
    return piece.startsWith('"') ? piece.replaceAll(/[\t\n\r]/g, " ") : piece;
  });
}

function toWarning(fault: Diagnostic): Diagnostic {
  return { ...fault, severity: "warning" };
}

/** The value of a text and its faults; with errors the value is meaningless. */
interface ParsedJson {
  readonly value: unknown;
  readonly faults: readonly Diagnostic[];
}

/** Parsing stops at this many faults: each costs memory, and no frontend shows more. */
const MAX_FAULTS = 100;

/** @param isLenient there may be comments, and a comma after the last of a list */
export async function parseJson(text: string, isLenient: boolean): Promise<ParsedJson> {
  const faults = await findFaults(text, isLenient);
  if (faults.length > 0) return { value: undefined, faults };
  const { parse } = await import("jsonc-parser");
  return { value: parse(text, [], optionsOf(isLenient)), faults };
}

async function findFaults(text: string, isLenient: boolean): Promise<readonly Diagnostic[]> {
  const deep = deepBracket(text);
  if (deep !== undefined) return [tooDeep(text, deep)];
  const { visit, printParseErrorCode } = await import("jsonc-parser");
  const lines = new TextLines(text);
  const faults: Diagnostic[] = [];
  const full = new Error("Too many faults");
  let last = -1;
  const onError = (error: number, offset: number, length: number) => {
    // One fault per place: those that follow from it do not help.
    if (offset === last) return;
    last = offset;
    const code = printParseErrorCode(error);
    const range = lines.rangeOf(offset, offset + length);
    faults.push({ range, severity: "error", message: MESSAGES[code] ?? code, code });
    if (faults.length === MAX_FAULTS) throw full;
  };
  try {
    visit(text, { onError }, optionsOf(isLenient));
  } catch (error) {
    if (error !== full) throw error;
  }
  return faults;
}

function optionsOf(isLenient: boolean) {
  return { disallowComments: !isLenient, allowTrailingComma: isLenient };
}
