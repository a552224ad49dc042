import { type ChangeSpec, EditorSelection } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import type {
  EditorChange,
  EditorPosition,
  EditorRange,
  EditorSelectionOrCaret,
  EditorTransaction,
} from "obsidian";

/** Obsidian's editor, a wrapper of CodeMirror's. */
export class Editor {
  /** Not declared, but how every plugin reaches CodeMirror. */
  readonly cm: EditorView;

  constructor(cm: EditorView) {
    this.cm = cm;
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

  getCursor(side: "from" | "to" | "head" | "anchor" = "head"): EditorPosition {
    return this.offsetToPos(this.cm.state.selection.main[side]);
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

  hasFocus(): boolean {
    return this.cm.hasFocus;
  }

  scrollIntoView({ from, to }: EditorRange, center = false): void {
    const range = EditorSelection.range(this.posToOffset(from), this.posToOffset(to));
    this.cm.dispatch({
      effects: EditorView.scrollIntoView(range, { y: center ? "center" : "nearest" }),
    });
  }

  transaction(tx: EditorTransaction, origin?: string): void {
    const { changes = [], ...others } = tx;
    if (Object.keys(others).length > 0) {
      throw new Error(`Editor.transaction with ${Object.keys(others)} is not in this host`);
    }
    const toChange = ({ from, to = from, text }: EditorChange): ChangeSpec => ({
      from: this.posToOffset(from),
      to: this.posToOffset(to),
      insert: text,
    });
    const specs = changes.map(toChange);
    this.cm.dispatch({ changes: specs, ...(origin !== undefined && { userEvent: origin }) });
  }

  /** A position outside the text is moved to the nearest one inside. */
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
}
