import { resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { ControlCommands, ControlDiagnostic } from "./control-protocol.ts";

const PROBLEM = /^(.+?):(\d+)(?::(\d+))?(?:-\d+)?:?\s+(.*)$/;
const SEVERITY = /^(?:(fatal )?(error|warning|info|information|note|hint))\b[\s:[\]-]*/i;

/**
 * Reads `file:line:column: severity: message`, a line each, as compilers and linters print it. The
 * column and the severity may be left out; other lines, and colours, are skipped.
 * @param cwd native; what relative files are relative to
 */
export function parseProblems(text: string, cwd: string): ControlCommands["diagnose"] {
  const files = new Map<string, ControlDiagnostic[]>();
  for (const line of stripVTControlCharacters(text).split(/\r?\n/)) {
    const [, file, row, column = "1", rest = ""] = PROBLEM.exec(line) ?? [];
    if (file === undefined || Number(row) < 1 || Number(column) < 1 || rest === "") continue;
    const path = resolve(cwd, file);
    const start = { line: Number(row) - 1, character: Number(column) - 1 };
    const diagnostics = files.get(path) ?? [];
    files.set(path, diagnostics);
    diagnostics.push({ range: { start, end: start }, ...readSeverity(rest) });
  }
  return { files: [...files].map(([path, diagnostics]) => ({ path, diagnostics })) };
}

function readSeverity(rest: string): Pick<ControlDiagnostic, "severity" | "message"> {
  const [prefix = "", , word = "error"] = SEVERITY.exec(rest) ?? [];
  const message = rest.slice(prefix.length) || rest;
  switch (word.toLowerCase()) {
    case "warning":
      return { severity: "warning", message };
    case "hint":
      return { severity: "hint", message };
    case "error":
      return { severity: "error", message };
    default:
      return { severity: "information", message };
  }
}
