import { type EditedText, PageReview, type ReviewContext } from "@idewire/core/page";
import type * as api from "monaco-editor";
import { editedText } from "./monaco-file.ts";

/** Everything that a person could overlook. */
const visible: api.editor.IDiffEditorConstructionOptions = {
  automaticLayout: true,
  renderControlCharacters: true,
  renderWhitespace: "all",
  unicodeHighlight: { invisibleCharacters: true, includeComments: true, includeStrings: true },
  unusualLineTerminators: "off",
};

/** A diff in Monaco's diff editor; the proposal may be edited. */
export class MonacoReview extends PageReview {
  readonly #monaco: typeof api;
  readonly #original: api.editor.ITextModel;
  readonly #proposed: api.editor.ITextModel;
  readonly #edited: EditedText;

  constructor(monaco: typeof api, context: ReviewContext) {
    super(context);
    const { proposed } = context.request;
    this.#monaco = monaco;
    this.#original = monaco.editor.createModel(context.original);
    this.#proposed = monaco.editor.createModel(proposed);
    this.#edited = editedText(this.#proposed, proposed);
  }

  override get text(): string {
    return this.#edited.text;
  }

  show(place: HTMLElement): void {
    const editor = this.#monaco.editor.createDiffEditor(place, visible);
    editor.setModel({ original: this.#original, modified: this.#proposed });
    this.signal.addEventListener("abort", () => {
      // In this order: an editor that is disposed while it compares raises an error.
      editor.setModel(null);
      editor.dispose();
    });
  }

  override end(): void {
    super.end();
    this.#original.dispose();
    this.#proposed.dispose();
  }
}
