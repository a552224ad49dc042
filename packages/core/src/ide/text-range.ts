import { ToolFailure } from "../errors.ts";
import type { Range } from "../text/position.ts";
import { positionAt } from "../text/text-lines.ts";

/** What to look for in a text. */
export interface TextRangeQuery {
  readonly startText: string;
  /** The range ends with the first of these after `startText`. */
  readonly endText?: string;
  /** The range goes on to the end of the line where it would end. */
  readonly toEndOfLine?: boolean;
}

/** The first range of `text` that a query describes; undefined when its start is not there. */
export function findRange(text: string, query: TextRangeQuery): Range | undefined {
  const { startText, endText, toEndOfLine } = query;
  const start = text.indexOf(startText);
  if (start < 0) return undefined;
  let end = start + startText.length;
  const last = endText === undefined ? -1 : text.indexOf(endText, end);
  if (last >= 0) end = last + (endText?.length ?? 0);
  if (toEndOfLine === true) end += text.slice(end).search(/\r?\n|$/);
  return { start: positionAt(text, start), end: positionAt(text, end) };
}

/**
 * The part of a text that a range names.
 * @throws ToolFailure when it starts or ends where the text has no line or character
 */
export function textOfRange(text: string, { start, end }: Range): string {
  const lines = text.split("\n");
  for (const { line, character } of [start, end]) {
    const length = lines[line]?.length;
    if (length === undefined)
      throw new ToolFailure(`line ${line} is outside 0–${lines.length - 1}`);
    if (character > length) {
      throw new ToolFailure(`character ${character} of line ${line} is outside 0–${length}`);
    }
  }
  const picked = lines.slice(start.line, end.line + 1);
  const last = picked.length - 1;
  picked[last] = picked[last]?.slice(0, end.character) ?? "";
  picked[0] = picked[0]?.slice(start.character) ?? "";
  return picked.join("\n");
}
