import { baseName, type Diagnostic, type PosixPath } from "@idewire/core";
import type { DiagnosticSource } from "../diagnostic-source.ts";
import { TextLines } from "../text-lines.ts";
import { deepBracket, tooDeep } from "./nesting.ts";

/** After jsonc-parser's names. */
const MESSAGES: Readonly<Record<string, string>> = {
  CloseBraceExpected: "A closing brace } is missing",
  CloseBracketExpected: "A closing bracket ] is missing",
  ColonExpected: "A colon is missing after the property name",
  CommaExpected: "A comma is missing",
  EndOfFileExpected: "Nothing may follow the value",
  InvalidCharacter: "A control character must be escaped",
  InvalidCommentToken: "JSON has no comments",
  InvalidEscapeCharacter: "This is no escape sequence of JSON",
  InvalidNumberFormat: "This is no number of JSON",
  InvalidSymbol: "This is no value of JSON",
  InvalidUnicode: "\\u must be followed by four hexadecimal digits",
  PropertyNameExpected: "A property name in double quotes is expected",
  UnexpectedEndOfComment: "The comment has no end",
  UnexpectedEndOfNumber: "The number has no end",
  UnexpectedEndOfString: "The string has no end",
  ValueExpected: "A value is expected",
};

/** Syntax of JSON; comments and trailing commas only where they are usual. */
export const jsonSource: DiagnosticSource = {
  name: "json",
  accepts: (path) => /\.jsonc?$/i.test(path),
  check: async (path, text) => (await parseJson(text, allowsComments(path))).faults,
};

/** What a text stands for, and what is wrong with it: then its value means nothing. */
interface ParsedJson {
  readonly value: unknown;
  readonly faults: readonly Diagnostic[];
}

/** @param isLenient there may be comments, and a comma after the last of a list */
export async function parseJson(text: string, isLenient: boolean): Promise<ParsedJson> {
  const deep = deepBracket(text);
  if (deep !== undefined) return { value: undefined, faults: [tooDeep(text, deep)] };
  const { parse, printParseErrorCode } = await import("jsonc-parser");
  const lines = new TextLines(text);
  const errors: Parameters<typeof parse>[1] = [];
  const options = { disallowComments: !isLenient, allowTrailingComma: isLenient };
  const value: unknown = parse(text, errors, options);
  // One place, one trouble: what follows from it is no help.
  const first = errors.filter(({ offset }, at) => offset !== errors[at - 1]?.offset);
  const faults = first.map(({ error, offset, length }): Diagnostic => {
    const code = printParseErrorCode(error);
    return {
      range: lines.rangeOf(offset, offset + length),
      severity: "error",
      message: MESSAGES[code] ?? code,
      code,
    };
  });
  return { value, faults };
}

function allowsComments(path: PosixPath): boolean {
  const name = baseName(path);
  return (
    /\.jsonc$/i.test(name) ||
    /^[tj]sconfig.*\.json$/i.test(name) ||
    path.split("/").includes(".vscode")
  );
}
