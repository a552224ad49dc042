import { setDiagnosticsEffect } from "@codemirror/lint";
import type { EditorState, Extension } from "@codemirror/state";
import type { EditorView, ViewUpdate } from "@codemirror/view";
import {
  baseName,
  type EditorHost,
  Emitter,
  type FileDiagnostics,
  type HostEvents,
  isInside,
  type Mention,
  type OpenDocument,
  PendingDiffs,
  type PosixPath,
  parsePosixPath,
  type RevealOptions,
  type SaveOutcome,
  toFileUri,
  type WorkspaceFolder,
} from "@idewire/core";
import { FILE_CHANGED, requireKnownOptions, requireMembers } from "@idewire/core/internal";
import { IdewireError, ToolFailure } from "@idewire/core/rpc";
import { draftOfDocument } from "../draft.ts";
import { replaceDraft } from "../draft-field.ts";
import { diagnosticsIn } from "../markers.ts";
import { minimalChange } from "../minimal-change.ts";
import { offsetOf } from "../positions.ts";
import {
  type CodeMirrorHost,
  type CodeMirrorHostOptions,
  hostOptionNames,
} from "./host-options.ts";
import { isUnsaved, type OpenFile, OpenFiles, selectionIn, textOf, viewOf } from "./open-files.ts";
import { CodeMirrorReview, type Review } from "./review.ts";

/**
 * Makes the CodeMirror editors of a page available to agents.
 * @throws IdewireError `invalid-argument` for a folder that is not absolute, and for an unknown option
 */
export function createCodeMirrorHost(options: CodeMirrorHostOptions): CodeMirrorHost {
  requireKnownOptions("createCodeMirrorHost", options, hostOptionNames);
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
    const lines = selectedLines(view.state);
    this.#events.emit("mention", { path: file.path, ...(lines && { lines }) });
    return true;
  }

  fileChanged(path: string, text: string): boolean {
    const parsed = demandPath("path", path);
    const file = this.#files.get(parsed);
    this.#compareReviews(parsed, text);
    this.#events.emit("written", [parsed]);
    if (file === undefined) return true;
    const isKept = isUnsaved(file);
    this.#files.setSaved(parsed, text);
    if (!isKept) for (const view of file.views) replaceText(view, text);
    this.#events.emit("documents");
    return !isKept;
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
      dirty: isUnsaved(file),
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
    this.#files.setSaved(path, text);
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

/** The lines with selected characters, 0-based; undefined for a cursor. */
function selectedLines({ doc, selection: { main } }: EditorState): Mention["lines"] {
  if (main.empty) return undefined;
  const last = doc.lineAt(main.to);
  const end = last.from === main.to ? last.number - 2 : last.number - 1;
  return { start: doc.lineAt(main.from).number - 1, end };
}

function replaceText(view: EditorView, text: string): void {
  const draft = draftOfDocument(text);
  view.dispatch({
    changes: minimalChange(view.state.doc, draft.result.doc),
    effects: replaceDraft.of(draft),
  });
}
