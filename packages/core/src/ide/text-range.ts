import { ToolFailure } from "../errors.ts";
import type { Range } from "../text/position.ts";
import { positionAt, TextLines } from "../text/text-lines.ts";

/** A query for a range of a text. */
export interface TextRangeQuery {
  readonly startText: string;
  /** The range ends after the first occurrence of this after `startText`. */
  readonly endText?: string;
  /** Whether to extend the range to the end of its last line. */
  readonly toEndOfLine?: boolean;
}

/** The first range of `text` that matches a query; undefined when `startText` does not occur. */
export function findRange(text: string, query: TextRangeQuery): Range | undefined {
  const { startText, endText, toEndOfLine } = query;
  const start = text.indexOf(startText);
  if (start < 0) return undefined;
  let end = start + startText.length;
  const last = endText === undefined ? -1 : text.indexOf(endText, end);
  if (last >= 0) end = last + (endText?.length ?? 0);
  if (toEndOfLine === true) end += text.slice(end).search(/[\r\n]|$/);
  return { start: positionAt(text, start), end: positionAt(text, end) };
}

/**
 * The text of a range.
 * @throws ToolFailure when it starts or ends outside the text
 */
export function textOfRange(text: string, range: Range): string {
  const lines = new TextLines(text);
  for (const { line, character } of [range.start, range.end]) {
    if (line > lines.lastLine) throw new ToolFailure(`line ${line} is outside 0–${lines.lastLine}`);
    const length = lines.lengthOf(line);
    if (character > length) {
      throw new ToolFailure(`character ${character} of line ${line} is outside 0–${length}`);
    }
  }
  return lines.slice(range);
}
