import { resolve } from "node:path";
import type { ControlCommands, ControlDiagnostic } from "./control-protocol.ts";

const PROBLEM = /^(.+?):(\d+)(?::(\d+))?(?:-\d+)?:?\s+(.*)$/;
const SEVERITY = /^(?:(fatal )?(error|warning|info|information|note|hint))\b[\s:[\]-]*/i;

/** More are not told: the first are those to mend. */
const MAX_PROBLEMS = 2_000;

/** A longer message is cut. */
const MAX_MESSAGE_LENGTH = 2_000;

/**
 * Reads `file:line:column: severity: message`, a line each, as compilers and linters print it. The
 * column and the severity may be left out; other lines are skipped.
 */
export class ProblemReader {
  readonly #cwd: string;
  readonly #files = new Map<string, ControlDiagnostic[]>();
  /** What was found, as text: the same may be said once for each file that includes another. */
  readonly #said = new Set<string>();

  /** @param cwd native; what relative files are relative to */
  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  get found(): ControlCommands["diagnose"] {
    return { files: [...this.#files].map(([path, diagnostics]) => ({ path, diagnostics })) };
  }

  /** @param line without colours */
  push(line: string): void {
    if (this.#said.size >= MAX_PROBLEMS) return;
    const [, file, row, column = "1", rest = ""] = PROBLEM.exec(line) ?? [];
    if (file === undefined || !isOrdinal(row) || !isOrdinal(column) || rest === "") return;
    if (this.#said.has(line)) return;
    this.#said.add(line);
    const path = resolve(this.#cwd, file);
    const start = { line: Number(row) - 1, character: Number(column) - 1 };
    const diagnostics = this.#files.get(path) ?? [];
    this.#files.set(path, diagnostics);
    diagnostics.push({ range: { start, end: start }, ...readSeverity(rest) });
  }
}

function isOrdinal(digits: string | undefined): boolean {
  return Number.isSafeInteger(Number(digits)) && Number(digits) > 0;
}

function readSeverity(rest: string): Pick<ControlDiagnostic, "severity" | "message"> {
  const [prefix = "", , word = "error"] = SEVERITY.exec(rest) ?? [];
  const message = (rest.slice(prefix.length) || rest).slice(0, MAX_MESSAGE_LENGTH);
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
