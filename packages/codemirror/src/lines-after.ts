import type { ChangeDesc, Text } from "@codemirror/state";

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

/** Where lines are after a change: what is typed in front of them or behind them is not in them. */
export function linesAfter(
  { line, endLine = line }: { readonly line: number; readonly endLine?: number | undefined },
  { before, changes, after }: DocumentChange,
): Lines {
  const at = (number: number) => before.line(Math.max(1, Math.min(number, before.lines)));
  const from = changes.mapPos(at(line).from, 1);
  const to = Math.max(from, changes.mapPos(at(endLine).to, -1));
  const [first, last] = [after.lineAt(from).number, after.lineAt(to).number];
  return last > first ? { line: first, endLine: last } : { line: first };
}
