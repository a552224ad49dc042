import type { Diagnostic, PosixPath, Range, RevealOptions, Selection } from "@idewire/core";
import { EditedText, type PageFile } from "@idewire/core/page";
import type * as api from "monaco-editor";

/** A model, and the text of its file on disk. */
export class MonacoFile implements PageFile {
  readonly path: PosixPath;
  readonly model: api.editor.ITextModel;
  readonly #monaco: typeof api;
  #saved: string;
  #edited: EditedText;
  /** The editor that had the focus last. */
  #editor: api.editor.ICodeEditor | undefined;

  constructor(monaco: typeof api, path: PosixPath, text: string) {
    this.path = path;
    this.#monaco = monaco;
    this.model = monaco.editor.createModel(text, undefined, monaco.Uri.file(path));
    this.#saved = text;
    this.#edited = editedText(this.model, text);
  }

  get languageId(): string {
    return this.model.getLanguageId();
  }

  get text(): string {
    return this.#edited.text;
  }

  get dirty(): boolean {
    return this.text !== this.#saved;
  }

  get visible(): boolean {
    return this.model.isAttachedToEditor();
  }

  get diagnostics(): readonly Diagnostic[] {
    const { uri: resource } = this.model;
    return this.#monaco.editor.getModelMarkers({ resource }).map(toDiagnostic);
  }

  focus(editor: api.editor.ICodeEditor): void {
    this.#editor = editor;
  }

  selection(): Omit<Selection, "path"> | undefined {
    const ranges = this.#shownIn?.getSelections()?.map(rangeOf);
    if (ranges === undefined) return undefined;
    const textIn = (range: Range) => this.#edited.textIn(range);
    // The first one is the primary one.
    return { primary: 0, ranges: ranges.map((range) => ({ ...range, text: textIn(range) })) };
  }

  reveal({ range, preserveFocus }: RevealOptions): void {
    if (range !== undefined) {
      this.#shownIn?.setSelection(toMonaco(range));
      this.#shownIn?.revealRangeInCenterIfOutsideViewport(toMonaco(range));
    }
    if (preserveFocus !== true) this.#shownIn?.focus();
  }

  setSaved(text: string): void {
    this.#saved = text;
  }

  replace(text: string): void {
    const change = this.#edited.changeTo(text);
    const edit = { range: toMonaco(change.range), text: change.text };
    this.model.pushEditOperations([], [edit], () => null);
    this.#edited = editedText(this.model, text);
    this.#saved = text;
  }

  get #shownIn(): api.editor.ICodeEditor | undefined {
    const editors = this.#monaco.editor.getEditors().filter((one) => one.getModel() === this.model);
    return editors.find((editor) => editor === this.#editor) ?? editors[0];
  }
}

/** The text of a model to the byte: Monaco writes all line breaks of a model alike. */
export function editedText(model: api.editor.ITextModel, text: string): EditedText {
  return new EditedText(text, () => model.getLinesContent());
}

function rangeOf({ startLineNumber, startColumn, endLineNumber, endColumn }: api.IRange): Range {
  return {
    start: { line: startLineNumber - 1, character: startColumn - 1 },
    end: { line: endLineNumber - 1, character: endColumn - 1 },
  };
}

function toMonaco({ start, end }: Range): api.IRange {
  return {
    startLineNumber: start.line + 1,
    startColumn: start.character + 1,
    endLineNumber: end.line + 1,
    endColumn: end.character + 1,
  };
}

/** By the value of Monaco's severity. */
const severities = { 1: "hint", 2: "information", 4: "warning", 8: "error" } as const;

function toDiagnostic(marker: api.editor.IMarker): Diagnostic {
  const { message, severity, source } = marker;
  return {
    ...{ message, severity: severities[severity], range: rangeOf(marker) },
    ...(source !== undefined && { source }),
  };
}
