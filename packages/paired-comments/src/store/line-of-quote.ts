import { CommentError } from "../errors.ts";

/** A line to comment on, as it was asked for. */
export interface WantedLine {
  readonly filePath: string;
  /** 1-based. */
  readonly line: number;
  /** What the line, or the first of several, is thought to say. */
  readonly quote?: string | undefined;
}

/**
 * The line that is meant: that with the quoted text, the nearest one if there are several; without a
 * quote, the one asked for.
 * @throws CommentError `InvalidLineNumber`, with the nearest right line
 */
export function lineOfQuote(lines: readonly string[], wanted: WantedLine): number {
  const { filePath, line, quote } = wanted;
  const first = quote?.split("\n").find((each) => each.trim() !== "");
  if (first === undefined) {
    if (Number.isSafeInteger(line) && line >= 1 && line <= lines.length) return line;
    const suggestion = `Line must be between 1 and ${lines.length}`;
    throw invalid(wanted, lines, suggestion);
  }
  const text = plain(first);
  const found = lines.flatMap((each, index) => (plain(each) === text ? [index + 1] : []));
  const nearest = nearestTo(line, found);
  if (nearest !== undefined) return nearest;
  const containing = lines.flatMap((each, i) => (plain(each).includes(text) ? [i + 1] : []));
  const only = text.length >= 4 ? nearestTo(line, containing) : undefined;
  if (only !== undefined && containing.length === 1) return only;
  const there = (lines[line - 1] ?? "").trim().slice(0, 120);
  const suggestion = `No line of ${filePath} says ${JSON.stringify(first.trim().slice(0, 120))}; line ${line} says ${JSON.stringify(there)}`;
  throw invalid(wanted, lines, suggestion);
}

function plain(line: string): string {
  return line.trim().replace(/\s+/g, " ");
}

function nearestTo(line: number, found: readonly number[]): number | undefined {
  return [...found].sort((a, b) => Math.abs(a - line) - Math.abs(b - line))[0];
}

function invalid(
  { filePath, line }: WantedLine,
  lines: readonly string[],
  suggestion: string,
): CommentError {
  return new CommentError("InvalidLineNumber", {
    filePath,
    line,
    fileLineCount: lines.length,
    suggestion,
  });
}
