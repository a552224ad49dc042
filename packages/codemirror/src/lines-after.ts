import type { ChangeDesc, Line, Text } from "@codemirror/state";

/** Lines of a document, 1-based, both included. */
export interface Lines {
  readonly line: number;
  readonly endLine?: number;
}

/** A change of a document. */
export interface DocumentChange {
  readonly before: Text;
  readonly changes: ChangeDesc;
  readonly after: Text;
}

/**
 * The position of lines after a change: text typed before or after them does not belong to them. Programs that
 * change two places replace everything between them, so a line between them is found by its text.
 */
export function linesAfter(
  { line, endLine = line }: { readonly line: number; readonly endLine?: number | undefined },
  change: DocumentChange,
): Lines {
  const { before, changes, after } = change;
  const at = (number: number) => before.line(Math.max(1, Math.min(number, before.lines)));
  const [start, end] = [at(line), at(endLine)];
  const from = changes.mapPos(start.from, 1);
  const to = Math.max(from, changes.mapPos(end.to, -1));
  const first = sameLine(start, after.lineAt(from), change);
  const last = sameLine(end, after.lineAt(to), change);
  return last > first ? { line: first, endLine: last } : { line: first };
}

/** The number of the line; of several equal lines, the one with the same number of equals before it. */
function sameLine(line: Line, mapped: Line, { before, changes, after }: DocumentChange): number {
  if (mapped.text === line.text) return mapped.number;
  let found = mapped.number;
  changes.iterChangedRanges((fromA, toA, fromB, toB) => {
    if (line.from < fromA || line.to > toA) return;
    const index = linesWith(line.text, before, [fromA, toA]).indexOf(line.number);
    const same = linesWith(line.text, after, [fromB, toB]);
    found = same[index] ?? same.at(-1) ?? found;
  });
  return found;
}

function linesWith(
  text: string,
  doc: Text,
  [from, to]: readonly [number, number],
): readonly number[] {
  const [first, last] = [doc.lineAt(from).number, doc.lineAt(to).number];
  const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return numbers.filter((number) => doc.line(number).text === text);
}
