import type { Range } from "@idewire/core";
import type { EditorCommandOf } from "@idewire/core/internal";
import { TextLines } from "@idewire/core/internal/base";

/** A typed place in a text: 1-based. */
export interface TypedPosition {
  readonly line: number;
  /** Before this character; the whole line when left out. */
  readonly column?: number;
}

/** A file and, if typed, lines of it. */
export interface TypedPlace {
  readonly file: string;
  readonly start?: TypedPosition;
  /** The same as `start` when only one place was typed. */
  readonly end?: TypedPosition;
}

const PLACE = /^(.*?):(\d+)(?::(\d+))?(?:-(\d+)(?::(\d+))?)?$/s;

/** Parses `file`, `file:10`, `file:10-20`, `file:10:5` and `file:10:5-12:8`; quotes are dropped. */
export function parsePlace(text: string): TypedPlace {
  const match = PLACE.exec(text);
  if (match === null) return { file: unquote(text) };
  const [, file = "", line, column, endLine, endColumn] = match;
  const start = toPosition(line, column);
  return {
    file: unquote(file),
    start,
    end: endLine === undefined ? start : toPosition(endLine, endColumn),
  };
}

function toPosition(line: string | undefined, column: string | undefined): TypedPosition {
  return { line: Number(line), ...(column !== undefined && { column: Number(column) }) };
}

function unquote(text: string): string {
  return text.replace(/^(["'])(.*)\1$/s, "$2");
}

/**
 * The typed range: from the start of the first line to the end of the last one, or from one column to another.
 * @param text of the file
 * @throws Error with the valid lines or columns
 */
export function toRange(start: TypedPosition, end: TypedPosition, text: string): Range {
  const lines = new TextLines(text);
  const [from, to] = [start, end].map(({ line, column }) => {
    const count = lines.lastLine + 1;
    if (line < 1 || line > count) throw new Error(`line ${line} is outside 1–${count}`);
    const length = lines.lengthOf(line - 1);
    const last = length + 1;
    if (column !== undefined && (column < 1 || column > last)) {
      throw new Error(`column ${column} of line ${line} is outside 1–${last}`);
    }
    return { line: line - 1, length, column };
  }) as [RangeEnd, RangeEnd];
  const range = {
    start: { line: from.line, character: (from.column ?? 1) - 1 },
    end: { line: to.line, character: to.column === undefined ? to.length : to.column - 1 },
  };
  const isBackwards =
    range.end.line < range.start.line ||
    (range.end.line === range.start.line && range.end.character < range.start.character);
  if (isBackwards) throw new Error(`${format(end)} is before ${format(start)}`);
  return range;
}

/** As {@link toRange}, in the editor's text of a file. */
export type FindRange = (path: string, start: TypedPosition, end: TypedPosition) => Promise<Range>;

/** Creates the mention of the typed file or lines. */
export async function mentionPlace(
  { file: path, start, end = start }: TypedPlace,
  find: FindRange,
): Promise<EditorCommandOf<"mention", string>> {
  if (start === undefined || end === undefined) return { do: "mention", path };
  const range = await find(path, start, end);
  return { do: "mention", path, lines: { start: range.start.line, end: range.end.line } };
}

interface RangeEnd {
  readonly line: number;
  readonly length: number;
  readonly column: number | undefined;
}

function format({ line, column }: TypedPosition): string {
  return column === undefined ? `line ${line}` : `line ${line}, column ${column}`;
}
