import { CommentError } from "../errors.ts";

/** The requested line of a comment. */
export interface WantedLine {
  readonly filePath: string;
  /** 1-based. */
  readonly line: number;
  /** Expected text of the line, or of the first of several. */
  readonly quote?: string | undefined;
}

/**
 * The line with the quoted text, the nearest if there are several; without a quote, the requested line.
 * @throws CommentError `InvalidLineNumber` with a suggestion
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
  const suggestion = `No line of ${filePath} is ${JSON.stringify(first.trim().slice(0, 120))}; line ${line} is ${JSON.stringify(there)}`;
  throw invalid(wanted, lines, suggestion);
}

/** Without the differences that a model does not see: blanks, and how accents are composed. */
function plain(line: string): string {
  return line.trim().replace(/\s+/g, " ").normalize("NFC");
}

/** The nearest line with this text, the upper of two equally near ones; else the only line that contains it. */
function nearestLine(lines: readonly string[], line: number, text: string): number | undefined {
  let nearest: number | undefined;
  const containing: number[] = [];
  let number = 0;
  for (const each of lines) {
    number++;
    // A composed text may be longer than the same text decomposed, but not in ASCII.
    if (each.length < text.length && !/[\u0080-\uffff]/.test(each)) continue;
    const lineText = plain(each);
    if (lineText === text) nearest = nearer(line, nearest, number);
    else if (containing.length < 2 && lineText.includes(text)) containing.push(number);
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
