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
  if (plain(lines[line - 1] ?? "") === text) return line;
  const found = nearestLine(lines, line, text);
  if (found !== undefined) return found;
  const there = (lines[line - 1] ?? "").trim().slice(0, 120);
  const suggestion = `No line of ${filePath} says ${JSON.stringify(first.trim().slice(0, 120))}; line ${line} says ${JSON.stringify(there)}`;
  throw invalid(wanted, lines, suggestion);
}

function plain(line: string): string {
  return line.trim().replace(/\s+/g, " ");
}

/** The nearest line with this text, the first of two; else the only one that has it in it. */
function nearestLine(lines: readonly string[], line: number, text: string): number | undefined {
  let nearest: number | undefined;
  const containing: number[] = [];
  let number = 0;
  for (const each of lines) {
    number++;
    if (each.length < text.length) continue;
    const said = plain(each);
    if (said === text) nearest = nearer(line, nearest, number);
    else if (containing.length < 2 && said.includes(text)) containing.push(number);
  }
  const isOnly = text.length >= 4 && containing.length === 1;
  return nearest ?? (isOnly ? containing[0] : undefined);
}

function nearer(line: number, known: number | undefined, other: number): number {
  if (known === undefined) return other;
  return Math.abs(other - line) < Math.abs(known - line) ? other : known;
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
