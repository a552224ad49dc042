import { mapSelection, type Range, type Selection } from "@idewire/core";
import { TextLines } from "@idewire/core/internal";
import { checkRange, checkRangeIn } from "./check-range.ts";
import type { DocumentState } from "./open-documents.ts";

const AT_START: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** The selection of the folder: one range of one document, or nothing. */
export class FolderSelection {
  #document: DocumentState | undefined;
  #value: Selection | undefined;

  get value(): Selection | undefined {
    return this.#value;
  }

  isIn(document: DocumentState): boolean {
    return this.#document === document;
  }

  /** @throws ToolFailure when the range is outside the text; not checked if the text is given */
  set(document: DocumentState, { start, end }: Range, text?: string): void {
    const lines = new TextLines(document.text);
    if (text === undefined) checkRangeIn(lines, { start, end });
    else checkRange({ start, end });
    this.#document = document;
    const selected = text ?? lines.slice({ start, end });
    this.#value = { path: document.path, ranges: [{ start, end, text: selected }], primary: 0 };
  }

  /** Sets a cursor at the document's start. */
  setCursor(document: DocumentState): void {
    this.set(document, AT_START);
  }

  clear(): void {
    this.#document = undefined;
    this.#value = undefined;
  }

  /** Maps the selection after a change of the document's text; returns whether the selection has changed. */
  follow(before: string): boolean {
    if (this.#document === undefined || this.#value === undefined) return false;
    const mapped = mapSelection(this.#value, before, this.#document.text);
    const isSame = JSON.stringify(mapped) === JSON.stringify(this.#value);
    this.#value = mapped;
    return !isSame;
  }
}
