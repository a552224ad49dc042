import type { EditorState, Extension } from "@codemirror/state";
import { EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import type { PosixPath, Selection } from "@idewire/core";
import { formatDocument } from "../breaks.ts";
import { draftOfDocument, textOfDraft } from "../draft.ts";
import { draftOf, editDraft } from "../draft-field.ts";
import { rangeOf } from "../positions.ts";

/** A file that is shown in one editor or more. */
export interface OpenFile {
  readonly path: PosixPath;
  /** The text on disk. */
  readonly saved: string;
  /** The editors that show it; the last one had the focus last. */
  readonly views: readonly EditorView[];
  readonly lastFocusedMs: number;
}

/** Called after an update of an editor, and with `undefined` after an editor was added or removed. */
export type OpenFilesListener = (path: PosixPath, update: ViewUpdate | undefined) => void;

/** The files of all editors with the extension of {@link OpenFiles.extension}. */
export class OpenFiles {
  readonly #files = new Map<PosixPath, OpenFile>();
  readonly #onchange: OpenFilesListener;
  #lastFocusedMs = 0;

  constructor(onchange: OpenFilesListener) {
    this.#onchange = onchange;
  }

  get all(): readonly OpenFile[] {
    return [...this.#files.values()];
  }

  get(path: PosixPath): OpenFile | undefined {
    return this.#files.get(path);
  }

  /** The file that had the focus last. */
  get active(): OpenFile | undefined {
    return this.all.reduce<OpenFile | undefined>(
      (last, file) => (file.lastFocusedMs > (last?.lastFocusedMs ?? 0) ? file : last),
      undefined,
    );
  }

  /** For an editor whose document is `text`. */
  extension(path: PosixPath, text: string): Extension {
    return [
      editDraft(draftOfDocument(text)),
      ViewPlugin.define((view) => {
        this.#add(path, text, view);
        return { destroy: () => this.#remove(path, view) };
      }),
      EditorView.updateListener.of((update) => {
        if (update.focusChanged && update.view.hasFocus) this.#focus(path, update.view);
        this.#onchange(path, update);
      }),
    ];
  }

  /** Records the text on disk of an open file. */
  setSaved(path: PosixPath, saved: string): void {
    const file = this.#files.get(path);
    if (file !== undefined) this.#files.set(path, { ...file, saved });
  }

  #add(path: PosixPath, text: string, view: EditorView): void {
    const { views = [], saved = text } = this.#files.get(path) ?? {};
    this.#files.set(path, { path, saved, views, lastFocusedMs: 0 });
    this.#focus(path, view);
    this.#onchange(path, undefined);
  }

  #remove(path: PosixPath, view: EditorView): void {
    const file = this.#files.get(path);
    if (file === undefined) return;
    const views = file.views.filter((one) => one !== view);
    if (views.length === 0) this.#files.delete(path);
    else this.#files.set(path, { ...file, views });
    this.#onchange(path, undefined);
  }

  #focus(path: PosixPath, view: EditorView): void {
    const file = this.#files.get(path);
    if (file === undefined) return;
    this.#lastFocusedMs = Math.max(Date.now(), this.#lastFocusedMs + 1);
    const views = [...file.views.filter((one) => one !== view), view];
    this.#files.set(path, { ...file, views, lastFocusedMs: this.#lastFocusedMs });
  }
}

/** The editor of a file that had the focus last. */
export function viewOf({ views }: OpenFile): EditorView | undefined {
  return views.at(-1);
}

/** The text of an open file, to the byte. */
export function textOf(file: OpenFile): string {
  const view = viewOf(file);
  return view === undefined ? file.saved : textOfDraft(draftOf(view.state));
}

/** Whether any of its editors has text that is not on disk. */
export function isUnsaved({ views, saved }: OpenFile): boolean {
  return views.some(({ state }) => textOfDraft(draftOf(state)) !== saved);
}

/** What is selected in an editor; a cursor is an empty range. */
export function selectionIn(path: PosixPath, state: EditorState): Selection {
  const { result } = draftOf(state);
  const { ranges, mainIndex: primary } = state.selection;
  return {
    path,
    primary,
    ranges: ranges.map(({ from, to }) => ({
      ...rangeOf(state.doc, from, to),
      text: formatDocument(result, from, to),
    })),
  };
}
