import type { Position, Range } from "./editor-host.ts";

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

function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const line = before.split("\n").length - 1;
  return { line, character: offset - before.lastIndexOf("\n") - 1 };
}
