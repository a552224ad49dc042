import {
  cursorCharLeft,
  cursorCharRight,
  cursorLineDown,
  cursorLineUp,
  deleteLine,
  indentLess,
  indentMore,
  insertNewlineAndIndent,
  moveLineUp,
  redo,
  undo,
} from "@codemirror/commands";
import { type ChangeSpec, EditorSelection } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import type {
  EditorChange,
  EditorPosition,
  EditorRange,
  EditorRangeOrCaret,
  EditorSelectionOrCaret,
  EditorTransaction,
  EditorSelection as Selected,
} from "obsidian";

const commands = {
  goUp: cursorLineUp,
  goDown: cursorLineDown,
  goLeft: cursorCharLeft,
  goRight: cursorCharRight,
  indentMore,
  indentLess,
  newlineAndIndent: insertNewlineAndIndent,
  swapLineUp: moveLineUp,
  deleteLine,
} as const;

/** Obsidian's editor, in front of CodeMirror's. */
export class Editor {
  /** Not declared, and what every plugin reaches CodeMirror by. */
  readonly cm: EditorView;

  constructor(cm: EditorView) {
    this.cm = cm;
  }

  getDoc(): this {
    return this;
  }

  refresh(): void {
    this.cm.requestMeasure();
  }

  getValue(): string {
    return this.cm.state.doc.toString();
  }

  setValue(content: string): void {
    this.cm.dispatch({ changes: { from: 0, to: this.cm.state.doc.length, insert: content } });
  }

  getLine(line: number): string {
    return this.cm.state.doc.line(line + 1).text;
  }

  setLine(line: number, text: string): void {
    const { from, to } = this.cm.state.doc.line(line + 1);
    this.cm.dispatch({ changes: { from, to, insert: text } });
  }

  lineCount(): number {
    return this.cm.state.doc.lines;
  }

  lastLine(): number {
    return this.cm.state.doc.lines - 1;
  }

  getSelection(): string {
    const { from, to } = this.cm.state.selection.main;
    return this.cm.state.sliceDoc(from, to);
  }

  somethingSelected(): boolean {
    return this.cm.state.selection.ranges.some((range) => !range.empty);
  }

  getRange(from: EditorPosition, to: EditorPosition): string {
    return this.cm.state.sliceDoc(this.posToOffset(from), this.posToOffset(to));
  }

  replaceSelection(replacement: string, origin = "input"): void {
    this.cm.dispatch({ ...this.cm.state.replaceSelection(replacement), userEvent: origin });
  }

  replaceRange(replacement: string, from: EditorPosition, to = from, origin = "input"): void {
    this.transaction({ changes: [{ text: replacement, from, to }] }, origin);
  }

  getCursor(side: "from" | "to" | "head" | "anchor" = "head"): EditorPosition {
    return this.offsetToPos(this.cm.state.selection.main[side]);
  }

  listSelections(): Selected[] {
    return this.cm.state.selection.ranges.map(({ anchor, head }) => ({
      anchor: this.offsetToPos(anchor),
      head: this.offsetToPos(head),
    }));
  }

  setCursor(pos: EditorPosition | number, ch = 0): void {
    this.setSelection(typeof pos === "number" ? { line: pos, ch } : pos);
  }

  setSelection(anchor: EditorPosition, head = anchor): void {
    this.setSelections([{ anchor, head }]);
  }

  setSelections(ranges: EditorSelectionOrCaret[], main = 0): void {
    const found = ranges.map(({ anchor, head = anchor }) =>
      EditorSelection.range(this.posToOffset(anchor), this.posToOffset(head)),
    );
    this.cm.dispatch({ selection: EditorSelection.create(found, main), userEvent: "select" });
  }

  focus(): void {
    this.cm.focus();
  }

  blur(): void {
    this.cm.contentDOM.blur();
  }

  hasFocus(): boolean {
    return this.cm.hasFocus;
  }

  getScrollInfo(): { top: number; left: number } {
    const { scrollTop: top, scrollLeft: left } = this.cm.scrollDOM;
    return { top, left };
  }

  scrollTo(x?: number | null, y?: number | null): void {
    this.cm.scrollDOM.scrollTo(x ?? 0, y ?? 0);
  }

  scrollIntoView({ from, to }: EditorRange, center = false): void {
    const range = EditorSelection.range(this.posToOffset(from), this.posToOffset(to));
    this.cm.dispatch({
      effects: EditorView.scrollIntoView(range, { y: center ? "center" : "nearest" }),
    });
  }

  undo(): void {
    undo(this.cm);
  }

  redo(): void {
    redo(this.cm);
  }

  exec(command: string): void {
    const act = Reflect.get(commands, command) as ((view: EditorView) => boolean) | undefined;
    if (act === undefined) throw new Error(`Editor.exec("${command}") is not in this host`);
    act(this.cm);
  }

  transaction(tx: EditorTransaction, origin?: string): void {
    const { changes = [], replaceSelection, selection, selections } = tx;
    const toChange = ({ from, to = from, text }: EditorChange): ChangeSpec => ({
      from: this.posToOffset(from),
      to: this.posToOffset(to),
      insert: text,
    });
    const specs = changes.map(toChange);
    if (replaceSelection !== undefined) {
      for (const { from, to } of this.cm.state.selection.ranges)
        specs.push({ from, to, insert: replaceSelection });
    }
    const wanted = selections ?? (selection === undefined ? undefined : [selection]);
    this.cm.dispatch({ changes: specs, ...(origin !== undefined && { userEvent: origin }) });
    if (wanted !== undefined) this.setSelections(wanted.map(toSelection));
  }

  wordAt(pos: EditorPosition): EditorRange | null {
    const word = this.cm.state.wordAt(this.posToOffset(pos));
    return word && { from: this.offsetToPos(word.from), to: this.offsetToPos(word.to) };
  }

  /** A position outside of the text is taken for the nearest in it. */
  posToOffset({ line, ch }: EditorPosition): number {
    const { doc } = this.cm.state;
    if (line < 0) return 0;
    if (line >= doc.lines) return doc.length;
    const { from, length } = doc.line(line + 1);
    return from + Math.min(Math.max(ch, 0), length);
  }

  offsetToPos(offset: number): EditorPosition {
    const { doc } = this.cm.state;
    const line = doc.lineAt(Math.min(Math.max(offset, 0), doc.length));
    return { line: line.number - 1, ch: Math.min(offset, doc.length) - line.from };
  }

  processLines<T>(
    read: (line: number, text: string) => T | null,
    write: (line: number, text: string, value: T | null) => EditorChange | undefined,
    ignoreEmpty = false,
  ): void {
    const lines = [...Array(this.lineCount()).keys()].filter(
      (line) => !ignoreEmpty || this.getLine(line).trim() !== "",
    );
    const values = lines.map((line) => read(line, this.getLine(line)));
    const changes = lines.map((line, index) =>
      write(line, this.getLine(line), values[index] ?? null),
    );
    this.transaction({ changes: changes.filter((change) => change !== undefined) });
  }
}

function toSelection({ from, to = from }: EditorRangeOrCaret): EditorSelectionOrCaret {
  return { anchor: from, head: to };
}
