/** A text as lines. */
export interface SplitText {
  /** Without their ends. */
  readonly lines: readonly string[];
  /** Without their line feeds only. */
  readonly rawLines: readonly string[];
  readonly ending: "LF" | "CRLF" | "mixed" | undefined;
  /** Whether the last line has an end. */
  readonly isEnded: boolean;
}

/** Splits a text at its line feeds; an empty text has no lines. */
export function splitText(text: string): SplitText {
  const isEnded = text === "" || text.endsWith("\n");
  const rawLines = text === "" ? [] : (isEnded ? text.slice(0, -1) : text).split("\n");
  const ends = isEnded ? rawLines.length : rawLines.length - 1;
  const carriageReturns = rawLines.filter(
    (row, index) => index < ends && row.endsWith("\r"),
  ).length;
  const pure = carriageReturns === 0 ? "LF" : "CRLF";
  const isMixed = carriageReturns > 0 && carriageReturns < ends;
  const lines = pure === "LF" ? rawLines : rawLines.map((row) => row.replace(/\r$/, ""));
  return { lines, rawLines, isEnded, ending: ends === 0 ? undefined : isMixed ? "mixed" : pure };
}
