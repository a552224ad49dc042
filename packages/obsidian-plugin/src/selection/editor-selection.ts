import type { EditorState, Text } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { defaultSharePolicy, type Position, type SelectionRange } from "@idewire/core";
import type { TrackedFile, TrackedSelection } from "./tracked-selection.ts";

/** The selection in an editor whose text is the whole file. */
export function selectionOfEditor(
  state: EditorState,
  file: TrackedFile,
  origin: object,
): TrackedSelection {
  const { doc, selection } = state;
  const isSelected = selection.ranges.some(({ empty }) => !empty);
  return {
    file,
    origin,
    isSelected,
    // For a cursor the line is enough; a selected text may also change in place.
    place: isSelected
      ? `${selection.ranges.map(({ from, to }) => `${from}-${to}`).join()} ${identityOf(doc)}`
      : String(doc.lineAt(selection.main.head).number),
    read: once(() => ({
      ranges: selection.ranges.map(({ from, to }) => rangeOf(doc, from, to)),
      primary: selection.mainIndex,
    })),
  };
}

/** One range from the start of the first line to the end of the last; 0-based. */
export function wholeLines(doc: Text, first: number, last: number): SelectionRange {
  const from = doc.line(clampLine(doc, first + 1)).from;
  const to = doc.line(clampLine(doc, last + 1)).to;
  return rangeOf(doc, from, Math.max(from, to));
}

/** Reads one unit more than may be shared, so that the cut is noticed; never a whole long text. */
export function rangeOf(doc: Text, from: number, to: number): SelectionRange {
  const end = Math.min(to, from + defaultSharePolicy.maxTextLength + 1);
  return {
    start: positionAt(doc, from),
    end: positionAt(doc, to),
    text: doc.sliceString(from, end),
  };
}

/** Offsets beyond the end give the end. */
export function positionAt(doc: Text, offset: number): Position {
  const line = doc.lineAt(Math.min(offset, doc.length));
  return { line: line.number - 1, character: Math.min(offset, line.to) - line.from };
}

function clampLine(doc: Text, number: number): number {
  return Math.min(Math.max(1, number), doc.lines);
}

/**
 * The selection in the editor of a table cell, whose text is not the file's: the lines of its row, or of
 * the whole table if the row is ambiguous.
 */
export function selectionOfCell(cell: EditorView, file: TrackedFile): TrackedSelection | undefined {
  const outer = editorAround(cell);
  if (outer === undefined) return undefined;
  const { doc } = outer.state;
  const isSelected = !cell.state.selection.main.empty;
  const { first, last } = rowOf(doc, outer.posAtDOM(cell.dom), cell.state.doc.toString());
  const range = wholeLines(doc, first, last);
  const cursor = { start: range.start, end: range.start, text: "" };
  return {
    file,
    origin: outer,
    isSelected,
    place: `${first}-${last} ${isSelected ? identityOf(doc) : ""}`,
    read: () => ({ ranges: [isSelected ? range : cursor], primary: 0 }),
  };
}

/** The editor of the file, if this one is a widget in it. */
export function editorAround(view: EditorView): EditorView | undefined {
  const element = view.dom.parentElement?.closest<HTMLElement>(".cm-editor");
  return (element && EditorView.findFromDOM(element)) ?? undefined;
}

/** The 0-based lines of the only row that has this cell, or of the whole table. */
function rowOf(doc: Text, offset: number, cell: string): { first: number; last: number } {
  const isRow = (number: number) =>
    number >= 1 && number <= doc.lines && doc.line(number).text.includes("|");
  let first = doc.lineAt(Math.min(offset, doc.length)).number;
  let last = first;
  while (isRow(first - 1)) first -= 1;
  while (isRow(last + 1)) last += 1;
  const rows = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const found = rows.filter((number) =>
    doc
      .line(number)
      .text.split("|")
      .some((text) => text.trim() === cell.trim()),
  );
  const [only = first] = found;
  return found.length === 1
    ? { first: only - 1, last: only - 1 }
    : { first: first - 1, last: last - 1 };
}

let lastIdentity = 0;
const identities = new WeakMap<Text, number>();

/** Identifies a version of a text: CodeMirror's texts are immutable. */
function identityOf(doc: Text): number {
  const known = identities.get(doc);
  if (known !== undefined) return known;
  lastIdentity += 1;
  identities.set(doc, lastIdentity);
  return lastIdentity;
}

function once<Value>(read: () => Value): () => Value {
  let value: { readonly read: Value } | undefined;
  return () => {
    value ??= { read: read() };
    return value.read;
  };
}
