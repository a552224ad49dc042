import { EditorView } from "@codemirror/view";
import { refreshMarks } from "./editor-extension.ts";

/** Refreshes the marks of the one editor whose selection agents may know. */
export class SelectionMarks {
  #marked: WeakRef<EditorView> | undefined;

  /** @param origin the editor; anything else removes the marks */
  show(origin: object | undefined): void {
    const marked = this.#marked?.deref();
    if (marked !== undefined && marked !== origin) refreshMarks(marked);
    this.#marked = undefined;
    if (!(origin instanceof EditorView)) return;
    refreshMarks(origin);
    this.#marked = new WeakRef(origin);
  }
}
