import { isObject } from "@idewire/core/internal";
import type { Params } from "@idewire/core/rpc";

const verbs: Readonly<Record<string, string>> = {
  clear: "clearSelection",
  diagnostics: "setDiagnostics",
};

/** Members as they were spelled, and where each is now. */
const members: readonly (readonly [was: string, is: string])[] = [
  ["filePath", "path"],
  ["selection", "range"],
  ["lineStart", "lines.start"],
  ["lineEnd", "lines.end"],
  ["items", "files"],
];

/** A line of a script as it is spelled now; scripts that were written before go on working. */
export function fromOldSpelling(line: Params): Params {
  const { do: verb, filePath, selection, lineStart, lineEnd = lineStart, items, ...rest } = line;
  return {
    ...(filePath !== undefined && { path: filePath }),
    ...(selection !== undefined && { range: selection }),
    ...(lineEnd !== undefined && { lines: { start: lineStart, end: lineEnd } }),
    ...(items !== undefined && { files: Array.isArray(items) ? items.map(toFile) : items }),
    ...rest,
    do: typeof verb === "string" && Object.hasOwn(verbs, verb) ? verbs[verb] : verb,
  };
}

/** What is wrong with a line, in the words of that line. */
export function inSpellingOf(line: Params, issue: string): string {
  if (!members.some(([was]) => was in line)) return issue;
  return members.reduce(
    (words, [was, is]) => words.replace(new RegExp(`(^|; )${is}\\b`, "g"), `$1${was}`),
    issue,
  );
}

function toFile(item: unknown): unknown {
  if (!isObject(item)) return item;
  const { uri, diagnostics, ...rest } = item;
  const list = Array.isArray(diagnostics) ? diagnostics.map(toDiagnostic) : diagnostics;
  return { path: uri, diagnostics: list, ...rest };
}

function toDiagnostic(diagnostic: unknown): unknown {
  if (!isObject(diagnostic) || typeof diagnostic["severity"] !== "string") return diagnostic;
  const severity = diagnostic["severity"].toLowerCase();
  return { ...diagnostic, severity: severity === "info" ? "information" : severity };
}
