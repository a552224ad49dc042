import type { EditorState } from "@codemirror/state";

/** The selected lines, 1-based and inclusive. */
export function selectedLines({ doc, selection }: EditorState): {
  readonly line: number;
  readonly endLine: number;
} {
  const { from, to } = selection.main;
  const [first, last] = [doc.lineAt(from), doc.lineAt(to)];
  // A triple click selects up to the start of the next line.
  const isBefore = last.number > first.number && to === last.from;
  return { line: first.number, endLine: last.number - (isBefore ? 1 : 0) };
}
