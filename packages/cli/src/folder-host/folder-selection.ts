import type { Range, Selection } from "@idewire/core";
import { TextLines } from "@idewire/core/internal";
import { checkRange, checkRangeIn } from "./check-range.ts";
import type { DocumentState } from "./open-documents.ts";

const AT_START: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** What is selected in the folder: one range of one document, or nothing. */
export class FolderSelection {
  #document: DocumentState | undefined;
  #range: Range = AT_START;
  #text = "";
  /** The text was given with the range: it stays, whatever happens to the document. */
  #isTextGiven = false;

  get value(): Selection | undefined {
    if (this.#document === undefined) return undefined;
    const { start, end } = this.#range;
    const range = { start, end, text: this.#text };
    return { path: this.#document.path, ranges: [range], primary: 0 };
  }

  isIn(document: DocumentState): boolean {
    return this.#document === document;
  }

  /** @throws ToolFailure when it is no range of the text; not checked if the text is given */
  set(document: DocumentState, range: Range, text?: string): void {
    const lines = new TextLines(document.text);
    if (text === undefined) checkRangeIn(lines, range);
    else checkRange(range);
    this.#document = document;
    this.#range = range;
    this.#text = text ?? lines.slice(range);
    this.#isTextGiven = text !== undefined;
  }

  /** A cursor at the document's start. */
  setCursor(document: DocumentState): void {
    this.set(document, AT_START);
  }

  clear(): void {
    this.#document = undefined;
  }

  /** After the document's text changed: keeps what is still there; says whether that is different. */
  refresh(): boolean {
    if (this.#document === undefined || this.#isTextGiven) return false;
    const before = JSON.stringify(this.value);
    const lines = new TextLines(this.#document.text);
    this.#range = lines.clamp(this.#range);
    this.#text = lines.slice(this.#range);
    return JSON.stringify(this.value) !== before;
  }
}
