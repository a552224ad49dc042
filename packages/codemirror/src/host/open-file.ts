import type { EditorState } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type { Diagnostic, PosixPath, RevealOptions, Selection } from "@idewire/core";
import type { PageFile } from "@idewire/core/page";
import { formatDocument } from "../breaks.ts";
import { draftOfDocument, textOfDraft } from "../draft.ts";
import { draftOf, replaceDraft } from "../draft-field.ts";
import { diagnosticsIn } from "../markers.ts";
import { minimalChange } from "../minimal-change.ts";
import { offsetOf, rangeOf } from "../positions.ts";

/** A file shown in one or more editors. */
export class OpenFile implements PageFile {
  readonly path: PosixPath;
  readonly languageId: string;
  #saved: string;
  /** The last one had the focus last. */
  readonly #views: EditorView[] = [];

  constructor(path: PosixPath, facts: { readonly languageId: string; readonly saved: string }) {
    this.path = path;
    this.languageId = facts.languageId;
    this.#saved = facts.saved;
  }

  /** Its editors; the last one had the focus last. */
  get views(): readonly EditorView[] {
    return this.#views;
  }

  /** Adds an editor, or records that it has the focus. */
  focus(view: EditorView): void {
    this.remove(view);
    this.#views.push(view);
  }

  remove(view: EditorView): void {
    const index = this.#views.indexOf(view);
    if (index >= 0) this.#views.splice(index, 1);
  }

  get text(): string {
    const view = this.#views.at(-1);
    return view === undefined ? this.#saved : textIn(view);
  }

  get dirty(): boolean {
    return this.#views.some((view) => textIn(view) !== this.#saved);
  }

  get visible(): boolean {
    return this.#views.some(({ dom }) => dom.isConnected);
  }

  get diagnostics(): readonly Diagnostic[] {
    const view = this.#views.at(-1);
    return view === undefined ? [] : diagnosticsIn(view.state);
  }

  selection(): Omit<Selection, "path"> | undefined {
    const view = this.#views.at(-1);
    return view && selectionIn(view.state);
  }

  reveal({ range, preserveFocus }: RevealOptions): void {
    const view = this.#views.at(-1);
    if (range !== undefined && view !== undefined) {
      const anchor = offsetOf(view.state.doc, range.start);
      const head = offsetOf(view.state.doc, range.end);
      view.dispatch({ selection: { anchor, head }, scrollIntoView: true });
    }
    if (preserveFocus !== true) view?.focus();
  }

  setSaved(text: string): void {
    this.#saved = text;
  }

  replace(text: string): void {
    this.#saved = text;
    const draft = draftOfDocument(text);
    for (const view of this.#views) {
      const changes = minimalChange(view.state.doc, draft.result.doc);
      view.dispatch({ changes, effects: replaceDraft.of(draft) });
    }
  }
}

function textIn({ state }: EditorView): string {
  return textOfDraft(draftOf(state));
}

/** The selection in an editor; a cursor is an empty range. */
function selectionIn(state: EditorState): Omit<Selection, "path"> {
  const { result } = draftOf(state);
  const { ranges, mainIndex: primary } = state.selection;
  return {
    primary,
    ranges: ranges.map(({ from, to }) => ({
      ...rangeOf(state.doc, from, to),
      text: formatDocument(result, from, to),
    })),
  };
}
