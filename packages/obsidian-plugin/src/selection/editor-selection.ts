import type { EditorState, Text } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { defaultSharePolicy, type Position, type SelectionRange } from "@idewire/core";
import type { TrackedFile, TrackedSelection } from "./tracked-selection.ts";

/** What is selected in an editor that holds the whole file. */
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
    // The line of a cursor is enough; of a selected text also what it says may change in place.
    place: isSelected
      ? `${selection.ranges.map(({ from, to }) => `${from}-${to}`).join()} ${identityOf(doc)}`
      : String(doc.lineAt(selection.main.head).number),
    read: once(() => ({
      ranges: selection.ranges.map(({ from, to }) => rangeOf(doc, from, to)),
      primary: selection.mainIndex,
    })),
  };
}

/** Lines of a file as one range, from the start of the first to the end of the last. */
export function wholeLines(doc: Text, first: number, last: number): SelectionRange {
  const from = doc.line(clampLine(doc, first + 1)).from;
  const to = doc.line(clampLine(doc, last + 1)).to;
  return rangeOf(doc, from, Math.max(from, to));
}

/** Of a text that is too long to be told no more is read than shows that it is. */
export function rangeOf(doc: Text, from: number, to: number): SelectionRange {
  const end = Math.min(to, from + defaultSharePolicy.maxTextLength + 1);
  return {
    start: positionAt(doc, from),
    end: positionAt(doc, to),
    text: doc.sliceString(from, end),
  };
}

/** Beyond the end it is the end. */
export function positionAt(doc: Text, offset: number): Position {
  const line = doc.lineAt(Math.min(offset, doc.length));
  return { line: line.number - 1, character: Math.min(offset, line.to) - line.from };
}

function clampLine(doc: Text, number: number): number {
  return Math.min(Math.max(1, number), doc.lines);
}

/**
 * What is selected in the editor of one table cell, whose text is not the file's: the true lines of
 * its row, or of the whole table when it cannot be said which row it is.
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

/** The editor of the file, when this one is a widget in it. */
export function editorAround(view: EditorView): EditorView | undefined {
  const element = view.dom.parentElement?.closest<HTMLElement>(".cm-editor");
  return (element && EditorView.findFromDOM(element)) ?? undefined;
}

/** The 0-based lines of the table at an offset, or the only row of it that has this cell. */
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

/** A name for a version of a text: texts of CodeMirror never change. */
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
