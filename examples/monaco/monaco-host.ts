import {
  baseName,
  type DiffRequest,
  type EditorHost,
  Emitter,
  type FileDiagnostics,
  type HostEvents,
  isInside,
  type OpenDocument,
  PendingDiffs,
  type PosixPath,
  parsePosixPath,
  type Range,
  type RevealOptions,
  type Selection,
  ToolFailure,
  toFileUri,
} from "@idewire/core";
import type * as api from "monaco-editor";
import { ExactText, linesOf, sameLines } from "./exact-text.ts";
import { MonacoReview } from "./monaco-review.ts";

export interface MonacoHostOptions {
  readonly name: string;
  /** The real absolute paths of the workspace folders. */
  readonly folders: readonly string[];
  /** Reads a file that no editor shows; undefined when there is no such file. */
  readonly read: (path: PosixPath) => Promise<string | undefined>;
  /** Shows a file in an editor: `editor.setModel(host.file(path, text))`. */
  readonly open: (path: PosixPath) => Promise<void> | void;
  readonly save: (path: PosixPath, text: string) => Promise<void>;
  readonly showReview: (review: MonacoReview) => void;
}

interface File {
  readonly path: PosixPath;
  readonly model: api.editor.ITextModel;
  exact: ExactText;
  /** The version that is on disk, which undo leads back to. */
  savedVersion: number;
  lastFocusedMs: number;
}

/** An editor host over all Monaco editors of a page; `monaco` is the page's own copy. */
export class MonacoHost {
  readonly diffs: PendingDiffs<MonacoReview>;
  readonly #monaco: typeof api;
  readonly #options: MonacoHostOptions;
  readonly #folders: readonly { readonly path: PosixPath; readonly name: string }[];
  readonly #events = new Emitter<HostEvents>();
  readonly #files = new Map<api.editor.ITextModel, File>();
  readonly #undo: api.IDisposable[];
  #active: api.editor.ICodeEditor | undefined;

  constructor(monaco: typeof api, options: MonacoHostOptions) {
    this.#monaco = monaco;
    this.#options = options;
    this.#folders = options.folders.map((folder) => {
      const path = demandPath(folder);
      return { path, name: baseName(path) };
    });
    this.diffs = new PendingDiffs<MonacoReview>({
      prepare: async (request) => this.#prepare(request),
      textOf: (review) => review.text,
    });
    this.diffs.events.on("diffOpened", options.showReview);
    this.diffs.events.on("diffClosed", (review) => review.end());
    for (const editor of monaco.editor.getEditors()) this.#watch(editor);
    this.#undo = [
      monaco.editor.onDidCreateEditor((editor) => this.#watch(editor)),
      monaco.editor.onDidChangeMarkers((uris) => this.#marked(uris)),
    ];
  }

  /** For `serveHost`, or `listenIde` in the same process. */
  asHost(): EditorHost {
    return {
      ...{ name: this.#options.name, version: "1.0.0" },
      workspace: () => ({ folders: this.#folders, trusted: true }),
      documents: () => [...this.#files.values()].map((file) => this.#document(file)),
      selection: () => this.#selection(),
      read: (path) => this.#read(path),
      reveal: (path, options) => this.#reveal(path, options),
      select: (path, range) => this.#reveal(path, { range }),
      diagnostics: async (path) => this.#diagnostics(path),
      save: (path) => this.save(path),
      openDiff: (request, signal) => this.diffs.open(request, signal),
      closeDiff: async (id, why) => this.diffs.close(id, why),
      on: (event, listener) => this.#events.on(event, listener),
    };
  }

  /** The model of a file, made of the text on disk when it is first shown. */
  file(name: string, text: string): api.editor.ITextModel {
    const path = demandPath(name);
    const open = this.#fileAt(path);
    if (open !== undefined) return open.model;
    const { editor, Uri } = this.#monaco;
    const model = editor.createModel(text, undefined, Uri.file(path));
    const savedVersion = model.getAlternativeVersionId();
    const exact = new ExactText(model, text);
    this.#files.set(model, { path, model, exact, savedVersion, lastFocusedMs: 0 });
    model.onDidChangeContent(() => this.#changed());
    model.onWillDispose(() => this.#files.delete(model));
    return model;
  }

  async save(path: PosixPath) {
    const file = this.#fileAt(path);
    if (file === undefined) return { saved: true };
    const { text } = file.exact;
    const version = file.model.getAlternativeVersionId();
    try {
      await this.#options.save(path, text);
    } catch (error) {
      return { saved: false, message: `${path}: ${(error as Error).message}` };
    }
    file.savedVersion = version;
    this.#events.emit("documents");
    return { saved: true };
  }

  /** Refers the agents to the selected lines, or to the whole file. */
  mention(): void {
    const selection = this.#selection();
    const range = selection?.ranges[0];
    if (selection === undefined || range === undefined) return;
    const { start, end } = range;
    const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
    const lines = range.text === "" ? undefined : { start: start.line, end: last };
    this.#events.emit("mention", { path: selection.path, ...(lines && { lines }) });
  }

  /** Shows what another program, such as an agent, has written to a file; unsaved text stays. */
  fileChanged(name: string, text: string): void {
    const file = this.#fileAt(demandPath(name));
    if (file === undefined || isUnsaved(file) || file.exact.text === text) return;
    const { model } = file;
    model.pushEditOperations([], [minimalEdit(model.getLinesContent(), linesOf(text))], () => null);
    file.exact = new ExactText(model, text);
    file.savedVersion = model.getAlternativeVersionId();
    this.#events.emit("documents");
  }

  close(): void {
    for (const listener of this.#undo) listener.dispose();
    this.diffs.end();
  }

  #watch(editor: api.editor.ICodeEditor): void {
    const focused = () => {
      const file = this.#fileIn(editor);
      if (file === undefined) return;
      this.#active = editor;
      file.lastFocusedMs = Date.now();
      this.#changed();
    };
    editor.onDidFocusEditorWidget(focused);
    editor.onDidChangeModel(focused);
    editor.onDidChangeCursorSelection(() => this.#events.emit("selection"));
    editor.onDidDispose(() => {
      if (this.#active === editor) this.#active = undefined;
      this.#changed();
    });
  }

  #changed(): void {
    this.#events.emit("documents");
    this.#events.emit("selection");
  }

  #marked(uris: readonly api.Uri[]): void {
    const paths = [...this.#files.values()]
      .filter(({ model }) => uris.some((uri) => uri.toString() === model.uri.toString()))
      .map(({ path }) => path);
    if (paths.length > 0) this.#events.emit("diagnostics", paths);
  }

  #fileAt(path: PosixPath): File | undefined {
    return [...this.#files.values()].find((file) => file.path === path);
  }

  #fileIn(editor: api.editor.ICodeEditor | undefined): File | undefined {
    const model = editor?.getModel();
    return model ? this.#files.get(model) : undefined;
  }

  #document(file: File): OpenDocument {
    const { path, lastFocusedMs, model } = file;
    return {
      ...{ path, uri: toFileUri(path, "posix"), label: baseName(path), lastFocusedMs },
      languageId: model.getLanguageId(),
      dirty: isUnsaved(file),
      untitled: false,
      active: file === this.#fileIn(this.#active),
      visible: model.isAttachedToEditor(),
    };
  }

  #selection(): Selection | undefined {
    const file = this.#fileIn(this.#active);
    const ranges = this.#active?.getSelections() ?? [];
    if (file === undefined || ranges.length === 0) return undefined;
    const { path, exact } = file;
    const toRange = (range: api.IRange) => ({ ...rangeOf(range), text: exact.textIn(range) });
    // The first one is the primary one.
    return { path, primary: 0, ranges: ranges.map(toRange) };
  }

  async #read(path: PosixPath): Promise<string> {
    if (!this.#folders.some((folder) => isInside(folder.path, path)))
      throw new ToolFailure(`${path} is outside the workspace folders`);
    const text = this.#fileAt(path)?.exact.text ?? (await this.#options.read(path));
    if (text === undefined) throw new ToolFailure(`${path}: there is no such file`);
    return text;
  }

  async #reveal(path: PosixPath, { range, preserveFocus }: RevealOptions): Promise<void> {
    await this.#read(path);
    const shows = (editor: api.editor.ICodeEditor) => this.#fileIn(editor)?.path === path;
    const find = () => this.#monaco.editor.getEditors().find(shows);
    if (find() === undefined) await this.#options.open(path);
    const editor = find();
    if (editor === undefined) throw new ToolFailure(`${path} is not shown in an editor`);
    if (range !== undefined) {
      editor.setSelection(toMonaco(range));
      editor.revealRangeInCenterIfOutsideViewport(toMonaco(range));
    }
    if (preserveFocus !== true) editor.focus();
  }

  #diagnostics(path: PosixPath | undefined): readonly FileDiagnostics[] {
    const files = [...this.#files.values()].filter((file) => (path ?? file.path) === file.path);
    return files.map((file) => {
      const markers = this.#monaco.editor.getModelMarkers({ resource: file.model.uri });
      return { path: file.path, diagnostics: markers.map(toDiagnostic) };
    });
  }

  async #prepare(request: DiffRequest): Promise<MonacoReview> {
    const file = this.#fileAt(request.path);
    const original = file?.exact.text ?? (await this.#options.read(request.path)) ?? "";
    return new MonacoReview(this.#monaco, { request, original, diffs: this.diffs });
  }
}

function demandPath(text: string): PosixPath {
  const path = parsePosixPath(text);
  if (path.ok) return path.value;
  throw new Error(path.issue);
}

function isUnsaved({ model, savedVersion }: File): boolean {
  return model.getAlternativeVersionId() !== savedVersion;
}

/** Replaces the lines that differ, so that selections in others stay. */
function minimalEdit(old: readonly string[], now: readonly string[]) {
  const { above, below } = sameLines(old, now);
  // The line before or after them too: one of the two lists may have none that differ.
  const first = Math.max(0, above - 1);
  const after = Math.max(0, below - (above === 0 ? 1 : 0));
  const last = old.length - after;
  const range = {
    ...{ startLineNumber: first + 1, startColumn: 1 },
    ...{ endLineNumber: last, endColumn: (old[last - 1] ?? "").length + 1 },
  };
  return { range, text: now.slice(first, now.length - after).join("\n") };
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

function toDiagnostic(marker: api.editor.IMarker): FileDiagnostics["diagnostics"][number] {
  const { message, severity, source } = marker;
  return {
    ...{ message, severity: severities[severity], range: rangeOf(marker) },
    ...(source !== undefined && { source }),
  };
}
