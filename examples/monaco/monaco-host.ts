import { PageHost, type PageHostOptions } from "@idewire/core/page";
import type * as api from "monaco-editor";
import { MonacoFile } from "./monaco-file.ts";
import { MonacoReview } from "./monaco-review.ts";

export type MonacoHostOptions = Omit<PageHostOptions<MonacoReview>, "files" | "createReview">;

/** An editor host over all Monaco editors of a page; `monaco` is the page's own copy. */
export class MonacoHost extends PageHost<MonacoReview> {
  readonly #monaco: typeof api;
  readonly #files = new Map<api.editor.ITextModel, MonacoFile>();
  readonly #listeners: readonly api.IDisposable[];

  constructor(monaco: typeof api, options: MonacoHostOptions) {
    super({
      ...options,
      files: () => this.#files.values(),
      createReview: (context) => new MonacoReview(monaco, context),
    });
    this.#monaco = monaco;
    for (const editor of monaco.editor.getEditors()) this.#watch(editor);
    this.#listeners = [
      monaco.editor.onDidCreateEditor((editor) => this.#watch(editor)),
      monaco.editor.onDidChangeMarkers((uris) => this.#reportMarkers(uris)),
    ];
  }

  /** The model of a file, made of the text on disk when it is first shown: `editor.setModel(host.file(…))`. */
  file(name: string, text: string): api.editor.ITextModel {
    const path = this.pathOf(name);
    const open = [...this.#files.values()].find((file) => file.path === path);
    if (open !== undefined) return open.model;
    const file = new MonacoFile(this.#monaco, path, text);
    const { model } = file;
    this.#files.set(model, file);
    model.onDidChangeContent(() => {
      this.events.emit("documents");
      this.events.emit("selection");
    });
    model.onWillDispose(() => {
      this.#files.delete(model);
      this.closed(path);
    });
    return model;
  }

  override close(): void {
    for (const listener of this.#listeners) listener.dispose();
    super.close();
  }

  #watch(editor: api.editor.ICodeEditor): void {
    let shown: MonacoFile | undefined;
    const leave = () => {
      if (shown !== undefined && !shown.visible) this.closed(shown.path);
    };
    const report = () => {
      const model = editor.getModel();
      const file = model === null ? undefined : this.#files.get(model);
      if (file !== shown) leave();
      shown = file;
      file?.focus(editor);
      if (file !== undefined) this.focused(file.path);
    };
    editor.onDidFocusEditorWidget(report);
    editor.onDidChangeModel(report);
    editor.onDidChangeCursorSelection(() => this.events.emit("selection"));
    editor.onDidDispose(leave);
  }

  #reportMarkers(uris: readonly api.Uri[]): void {
    const marked = new Set(uris.map(String));
    const files = [...this.#files.values()].filter(({ model }) => marked.has(String(model.uri)));
    if (files.length > 0)
      this.events.emit(
        "diagnostics",
        files.map(({ path }) => path),
      );
  }
}
