import { setDiagnosticsEffect } from "@codemirror/lint";
import type { Extension } from "@codemirror/state";
import type { Command, EditorView, ViewUpdate } from "@codemirror/view";
import {
  baseName,
  type EditorHost,
  Emitter,
  type FileDiagnostics,
  type HostEvents,
  isInside,
  type OpenDocument,
  PendingDiffs,
  type PosixPath,
  parsePosixPath,
  type RevealOptions,
  type SaveOutcome,
  toFileUri,
  type WorkspaceFolder,
} from "@idewire/core";
import {
  FILE_CHANGED,
  optionNames,
  requireKnownOptions,
  requireMembers,
} from "@idewire/core/internal";
import { IdewireError, ToolFailure } from "@idewire/core/rpc";
import { draftOfDocument } from "../draft.ts";
import { replaceDraft } from "../draft-field.ts";
import { diagnosticsIn } from "../markers.ts";
import { minimalChange } from "../minimal-change.ts";
import { offsetOf } from "../positions.ts";
import { type OpenFile, OpenFiles, selectionIn, textOf, viewOf } from "./open-files.ts";
import { CodeMirrorReview, type Review } from "./review.ts";

/** The page's side of a host: names, folders and callbacks. */
export interface CodeMirrorHostOptions {
  /** The editor's name for agents; `CodeMirror` by default. */
  readonly name?: string;
  readonly version?: string;
  /** The real absolute paths of the workspace folders, with forward slashes. */
  readonly folders: readonly string[];
  /**
   * Reads a file that no editor shows, for agents: it must follow links and refuse files outside the folders.
   * @returns its text; undefined when there is no such file
   */
  readonly read: (path: PosixPath) => Promise<string | undefined>;
  /** Shows a file in an editor with the extension `file(path, text)`, and resolves once it is shown. */
  readonly open?: (path: PosixPath) => Promise<void> | void;
  /** Writes the text of an open file; without it agents cannot save. */
  readonly save?: (path: PosixPath, text: string) => Promise<void>;
  /** Shows a diff; without it agents ask in their terminals. */
  readonly showReview?: (review: Review) => void;
  /** The language of a file as in LSP; `plaintext` by default. */
  readonly languageOf?: (path: PosixPath) => string;
}

/** An `EditorHost` over the CodeMirror editors of a page. */
export interface CodeMirrorHost {
  /** For `serveHost`, or `listenIde` in the same process. */
  readonly host: EditorHost;
  /**
   * The extension of an editor that shows a file: `EditorState.create({ doc: text, extensions: [file(path, text)] })`.
   * @param text the text as it is on disk; its line endings survive edits
   * @throws IdewireError `invalid-argument` for a path that is in none of the folders
   */
  file(path: string, text: string): Extension;
  /** The pending diffs: `shown`, `get(id)`, and the events `diffOpened`, `diffChanged`, `diffClosed`. */
  readonly diffs: PendingDiffs<Review>;
  /** Refers the agents to the selected lines, or to the whole file; for a key binding. */
  readonly mention: Command;
  /**
   * Call this when another program, such as an agent, has written an open file: its editors then show the new
   * text.
   * @returns false when there is unsaved text, which is kept
   */
  fileChanged(path: string, text: string): boolean;
  /** Cancels the pending diffs and ends the events. */
  close(): void;
}

const names = optionNames<CodeMirrorHostOptions>({
  name: true,
  version: true,
  folders: true,
  read: true,
  open: true,
  save: true,
  showReview: true,
  languageOf: true,
});

/**
 * Makes the CodeMirror editors of a page available to agents.
 * @throws IdewireError `invalid-argument` for a folder that is not absolute, and for an unknown option
 */
export function createCodeMirrorHost(options: CodeMirrorHostOptions): CodeMirrorHost {
  requireKnownOptions("createCodeMirrorHost", options, names);
  requireMembers("createCodeMirrorHost", options, { expected: "options", functions: ["read"] });
  const host = new OpenEditors(options);
  return {
    host: host.asHost(),
    file: (path, text) => host.file(path, text),
    diffs: host.diffs,
    mention: (view) => host.mention(view),
    fileChanged: (path, text) => host.fileChanged(path, text),
    close: () => host.close(),
  };
}

class OpenEditors {
  readonly diffs: PendingDiffs<Review>;
  readonly #options: CodeMirrorHostOptions;
  readonly #folders: readonly WorkspaceFolder[];
  readonly #events = new Emitter<HostEvents>();
  readonly #files = new OpenFiles((path, update) => this.#changed(path, update));

  constructor(options: CodeMirrorHostOptions) {
    this.#options = options;
    this.#folders = options.folders.map((folder) => {
      const path = demandPath("folders", folder);
      return { path, name: baseName(path) };
    });
    this.diffs = this.#createDiffs();
  }

  asHost(): EditorHost {
    const { name = "CodeMirror", version = "0.1.0", save, showReview } = this.#options;
    return {
      ...{ name, version },
      workspace: () => ({ folders: this.#folders, trusted: true }),
      documents: () => this.#files.all.map((file) => this.#document(file)),
      selection: () => {
        const file = this.#files.active;
        const view = file && viewOf(file);
        return file && view && selectionIn(file.path, view.state);
      },
      read: (path) => this.#read(path),
      reveal: (path, reveal) => this.#reveal(path, reveal),
      select: (path, range) => this.#reveal(path, { range }),
      diagnostics: async (path) => this.#diagnostics(path),
      ...(save !== undefined && { save: (path) => this.#save(path) }),
      ...(showReview !== undefined && {
        openDiff: (request, signal) => this.diffs.open(request, signal),
        closeDiff: async (id, why) => this.diffs.close(id, why),
      }),
      on: (event, listener) => this.#events.on(event, listener),
    };
  }

  file(path: string, text: string): Extension {
    const parsed = demandPath("path", path);
    if (this.#isInside(parsed)) return this.#files.extension(parsed, text);
    throw new IdewireError("invalid-argument", `${parsed} is in none of the folders`);
  }

  mention(view: EditorView): boolean {
    const file = this.#files.all.find(({ views }) => views.includes(view));
    if (file === undefined) return false;
    const { main } = view.state.selection;
    const [first, last] = [main.from, main.to].map((at) => view.state.doc.lineAt(at).number - 1);
    const lines = main.empty ? undefined : { start: first ?? 0, end: last ?? 0 };
    this.#events.emit("mention", { path: file.path, ...(lines && { lines }) });
    return true;
  }

  fileChanged(path: string, text: string): boolean {
    const parsed = demandPath("path", path);
    const file = this.#files.get(parsed);
    this.#compareReviews(parsed, text);
    this.#events.emit("written", [parsed]);
    if (file === undefined) return true;
    const isUnsaved = textOf(file) !== file.saved;
    file.saved = text;
    if (!isUnsaved) for (const view of file.views) replaceText(view, text);
    this.#events.emit("documents");
    return !isUnsaved;
  }

  close(): void {
    this.diffs.end();
  }

  #createDiffs(): PendingDiffs<Review> {
    const diffs: PendingDiffs<Review> = new PendingDiffs<Review>({
      prepare: async (request) =>
        new CodeMirrorReview(request, {
          original: (await this.#currentText(request.path)) ?? "",
          answer: (answer) => diffs.answer(request.id, answer, "editor"),
        }),
      textOf: (review) => review.text,
    });
    diffs.events.on("diffOpened", (review) => this.#options.showReview?.(review));
    diffs.events.on("diffClosed", (review) => (review as CodeMirrorReview).end());
    return diffs;
  }

  /**
   * Marks pending diffs of a file that was written in the meantime, unless with the proposed text, as by the
   * agent.
   */
  #compareReviews(path: PosixPath, text: string): void {
    for (const review of this.diffs.shown as readonly CodeMirrorReview[]) {
      if (review.request.path !== path) continue;
      if ([review.original, review.request.proposed].includes(text)) continue;
      review.addNote(FILE_CHANGED);
      this.diffs.update(review);
    }
  }

  #document(file: OpenFile): OpenDocument {
    const { path, lastFocusedMs, views } = file;
    const { languageOf } = this.#options;
    return {
      ...{ path, uri: toFileUri(path, "posix"), label: baseName(path), lastFocusedMs },
      languageId: languageOf?.(path) ?? "plaintext",
      dirty: textOf(file) !== file.saved,
      untitled: false,
      active: file.path === this.#files.active?.path,
      visible: views.some(({ dom }) => dom.isConnected),
    };
  }

  async #read(path: PosixPath): Promise<string> {
    if (!this.#isInside(path)) throw new ToolFailure(`${path} is outside the workspace folders`);
    const text = await this.#currentText(path);
    if (text === undefined) throw new ToolFailure(`${path}: there is no such file`);
    return text;
  }

  async #currentText(path: PosixPath): Promise<string | undefined> {
    const file = this.#files.get(path);
    if (file !== undefined) return textOf(file);
    try {
      return await this.#options.read(path);
    } catch (error) {
      if (error instanceof ToolFailure) throw error;
      throw new ToolFailure(`${path} cannot be read: ${(error as Error).message}`);
    }
  }

  async #reveal(path: PosixPath, { range, preserveFocus }: RevealOptions): Promise<void> {
    if (this.#files.get(path) === undefined) {
      await this.#read(path);
      await this.#options.open?.(path);
    }
    const file = this.#files.get(path);
    const view = file && viewOf(file);
    if (view === undefined) throw new ToolFailure(`${path} is not shown in an editor`);
    if (range !== undefined) {
      const [anchor, head] = [range.start, range.end].map((at) => offsetOf(view.state.doc, at));
      view.dispatch({ selection: { anchor: anchor ?? 0, head: head ?? 0 }, scrollIntoView: true });
    }
    if (preserveFocus !== true) view.focus();
  }

  #diagnostics(path: PosixPath | undefined): readonly FileDiagnostics[] {
    const files = this.#files.all.filter((file) => path === undefined || file.path === path);
    return files.map((file) => {
      const view = viewOf(file);
      return { path: file.path, diagnostics: view === undefined ? [] : diagnosticsIn(view.state) };
    });
  }

  async #save(path: PosixPath): Promise<SaveOutcome> {
    const file = this.#files.get(path);
    if (file === undefined) {
      await this.#read(path);
      return { saved: true };
    }
    const text = textOf(file);
    try {
      await this.#options.save?.(path, text);
    } catch (error) {
      return { saved: false, message: `${path}: ${(error as Error).message}` };
    }
    file.saved = text;
    this.#events.emit("documents");
    return { saved: true };
  }

  #changed(path: PosixPath, update: ViewUpdate | undefined): void {
    const isFocused = update?.focusChanged === true && update.view.hasFocus;
    const isOther = update === undefined || isFocused;
    if (isOther || update.docChanged) this.#events.emit("documents");
    if (isOther || update.docChanged || update.selectionSet) this.#events.emit("selection");
    const effects = update?.transactions.flatMap((transaction) => transaction.effects) ?? [];
    const isMarked = effects.some((effect) => effect.is(setDiagnosticsEffect));
    if (isMarked) this.#events.emit("diagnostics", [path]);
  }

  #isInside(path: PosixPath): boolean {
    return this.#folders.some((folder) => isInside(folder.path, path));
  }
}

/** @throws IdewireError `invalid-argument` */
function demandPath(name: string, text: string): PosixPath {
  const path = parsePosixPath(text);
  if (path.ok) return path.value;
  throw new IdewireError("invalid-argument", `createCodeMirrorHost, ${name}: ${path.issue}`);
}

function replaceText(view: EditorView, text: string): void {
  const draft = draftOfDocument(text);
  view.dispatch({
    changes: minimalChange(view.state.doc, draft.result.doc),
    effects: replaceDraft.of(draft),
  });
}
