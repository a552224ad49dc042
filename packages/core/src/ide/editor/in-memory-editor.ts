import { Emitter, type Unsubscribe } from "../../emitter.ts";
import { toFileUri } from "../../paths/file-uri.ts";
import { baseName, type Platform, type PosixPath } from "../../paths/posix-path.ts";
import { describePath } from "../../text/describe-value.ts";
import type { Range } from "../../text/position.ts";
import type { DiffAnsweredIn } from "../diffs/diff-end.ts";
import type { DiffAnswer, PendingDiffs } from "../diffs/pending-diffs.ts";
import type {
  CloseDiffReason,
  ClosedDiff,
  DiffId,
  DiffOutcome,
  DiffRequest,
  EditorHost,
  FileDiagnostics,
  HostEvents,
  Mention,
  OpenDocument,
  RevealOptions,
  SaveOutcome,
  Selection,
  WorkspaceFolder,
} from "../editor-host.ts";
import { textOfRange } from "../text-range.ts";
import { DiagnosticsList } from "./diagnostics-list.ts";
import { DocumentList } from "./document-list.ts";
import { DocumentTexts, demandText } from "./document-texts.ts";
import type { EditorChange } from "./editor-change.ts";
import type { CommandableEditor, EditOptions } from "./editor-command.ts";
import { compareDiffs, createEditorDiffs, type EditorDiff } from "./editor-diffs.ts";
import { EditorSelection } from "./editor-selection.ts";
import { type Files, inMemoryFiles } from "./files.ts";

/** Options of an {@link InMemoryEditor}. */
export interface InMemoryEditorOptions {
  readonly name: string;
  readonly version: string;
  readonly folder: WorkspaceFolder;
  /** How its machine writes paths; `posix` by default. */
  readonly platform?: Platform;
  /** Files in memory by default. */
  readonly files?: Files;
  /** The language of a file; `plaintext` by default. */
  readonly languageOf?: (path: PosixPath) => string;
  /** Called for each change of the editor's state, in order, before the events are emitted. */
  readonly onchange?: (change: EditorChange) => void;
}

/**
 * An editor in memory, to be commanded by a person, a test or a script; agents see an ordinary editor.
 * Every command takes effect before its call returns, even when that returns a promise.
 */
export class InMemoryEditor implements Required<EditorHost>, Required<CommandableEditor> {
  readonly name: string;
  readonly version: string;
  folders: readonly WorkspaceFolder[];
  trusted = true;
  readonly diffs: PendingDiffs<EditorDiff>;
  readonly #texts: DocumentTexts;
  readonly #change: (change: EditorChange) => void;
  readonly #documents: DocumentList;
  readonly #events = new Emitter<HostEvents>();
  readonly #selection = new EditorSelection();
  readonly #diagnostics = new DiagnosticsList();

  constructor(options: InMemoryEditorOptions) {
    const { platform = "posix", languageOf = () => "plaintext" } = options;
    this.name = options.name;
    this.version = options.version;
    this.folders = [options.folder];
    this.#texts = new DocumentTexts(options.files ?? inMemoryFiles());
    this.#change = options.onchange ?? (() => {});
    this.#documents = new DocumentList((path) => ({
      path,
      uri: toFileUri(path, platform),
      languageId: languageOf(path),
      untitled: this.#texts.saved(path) === undefined,
      label: baseName(path),
    }));
    this.diffs = createEditorDiffs(this.#texts, this.#change);
  }

  // Commands of the person.

  /** @throws ToolFailure when the file does not exist */
  open(path: PosixPath): void {
    demandText(path, this.textOf(path));
    this.#bringToFront(path);
  }

  closeDocument(path: PosixPath, { discard }: { readonly discard: boolean }): boolean {
    const document = this.#documents.at(path);
    if (document === undefined || (document.dirty && !discard)) return false;
    this.#documents.close(path);
    this.#texts.discard(path);
    this.#change({ kind: "closed", path });
    if (this.#selection.latest?.path === path) this.clearSelection();
    this.#events.emit("documents");
    return true;
  }

  /** Creates a new document for a file that does not exist. */
  edit(path: PosixPath, typed: string, options: EditOptions = {}): void {
    this.#bringToFront(path);
    const before = this.#texts.of(path);
    const text = this.#texts.type(path, typed, options);
    if (text === undefined) return;
    this.#documents.update(path, { dirty: true });
    this.#change({ kind: "text", path, text, unsaved: true });
    compareDiffs(this.diffs, path, text);
    this.#events.emit("documents");
    this.#followSelection(path, before, text);
  }

  /** @throws ToolFailure when the file does not exist */
  revert(path: PosixPath): void {
    const text = demandText(path, this.#texts.saved(path));
    const before = this.#texts.unsaved(path)?.text;
    if (before !== undefined) this.#showSaved(path, text, before);
  }

  keepUnsaved(path: PosixPath): void {
    this.#texts.keep(path);
  }

  clearSelection(): void {
    this.setSelection(undefined);
  }

  mention(mention: Mention): void {
    this.#events.emit("mention", mention);
  }

  setDiagnostics(files: readonly FileDiagnostics[]): void {
    this.#emitDiagnostics(this.#diagnostics.replace(files));
  }

  /** Replaces the diagnostics of some files; those of the others remain. */
  updateDiagnostics(files: readonly FileDiagnostics[]): void {
    this.#diagnostics.update(files);
    this.#emitDiagnostics(files);
  }

  /** @param by appears only in the event of {@link diffs} */
  answerDiff(id: DiffId, answer: DiffAnswer, by: DiffAnsweredIn = "script"): boolean {
    return this.diffs.answer(id, answer, by);
  }

  /** The diffs that are shown, oldest first. */
  get shownDiffs(): readonly DiffRequest[] {
    return this.diffs.shown.map(({ request }) => request);
  }

  // Events outside the editor, and state for tests.

  /**
   * Writes a file as another program does: its document shows the new text and loses unsaved text.
   */
  writeFile(path: PosixPath, text: string): void {
    this.#write(path, text);
    this.#events.emit("written", [path]);
  }

  /** Replaces the open documents, for a test that invents them. */
  setDocuments(documents: readonly OpenDocument[]): void {
    this.#documents.all = documents;
    this.#events.emit("documents");
  }

  /** Sets the current and the latest selection; undefined for none. */
  setSelection(selection: Selection | undefined): void {
    this.#selection.set(selection);
    this.#events.emit("selection");
  }

  /** Removes the focus: there is no current selection, while the latest remains. */
  blur(): void {
    this.#selection.blur();
    this.#events.emit("selection");
  }

  /** The unsaved text or else that of the file; undefined when there is neither. */
  textOf(path: PosixPath): string | undefined {
    return this.#texts.of(path);
  }

  // Requests of agents.

  workspace(): ReturnType<EditorHost["workspace"]> {
    return { folders: this.folders, trusted: this.trusted };
  }

  documents(): readonly OpenDocument[] {
    return this.#documents.all;
  }

  selection(which: "current" | "latest"): Selection | undefined {
    return this.#selection[which];
  }

  on<E extends keyof HostEvents>(event: E, listener: HostEvents[E]): Unsubscribe {
    return this.#events.on(event, listener);
  }

  async read(path: PosixPath): Promise<string> {
    return demandText(path, this.textOf(path));
  }

  /** The text itself, which distinguishes all versions. */
  async fileVersion(path: PosixPath): Promise<string | undefined> {
    return this.#texts.saved(path);
  }

  async reveal(path: PosixPath, { range }: RevealOptions): Promise<void> {
    if (range === undefined) this.open(path);
    else await this.select(path, range);
  }

  /**
   * @param text the selected text; by default that of the document
   * @throws ToolFailure when the file does not exist or does not have the range
   */
  async select(path: PosixPath, range: Range, text?: string): Promise<void> {
    const selected = text ?? textOfRange(demandText(path, this.textOf(path)), range);
    this.#bringToFront(path);
    this.#change({ kind: "selected", path, range });
    this.setSelection({ path, ranges: [{ ...range, text: selected }], primary: 0 });
  }

  openDiff(request: DiffRequest, signal: AbortSignal): Promise<DiffOutcome> {
    return this.diffs.open(request, signal);
  }

  async closeDiff(id: DiffId, why: CloseDiffReason): Promise<ClosedDiff> {
    return this.diffs.close(id, why);
  }

  async diagnostics(path?: PosixPath): Promise<readonly FileDiagnostics[]> {
    return this.#diagnostics.of(path);
  }

  async save(path: PosixPath): Promise<SaveOutcome> {
    const unsaved = this.#texts.unsaved(path);
    if (unsaved === undefined) return { saved: this.#texts.saved(path) !== undefined };
    if (unsaved.isStale) {
      const message = `${describePath(path)} has changed on disk: revert it, or keep the unsaved text`;
      return { saved: false, message };
    }
    this.#write(path, unsaved.text);
    return { saved: true };
  }

  /** Has no formatter: the text is unchanged. */
  async format(path: PosixPath): Promise<void> {
    demandText(path, this.textOf(path));
  }

  async closeTab(key: string): Promise<boolean> {
    const document = this.#documents.named(key);
    return document !== undefined && this.closeDocument(document.path, { discard: false });
  }

  #bringToFront(path: PosixPath): void {
    if (!this.#documents.focus(path)) return;
    this.#change({ kind: "opened", path });
    this.#events.emit("documents");
  }

  #write(path: PosixPath, text: string): void {
    const before = this.#texts.of(path);
    this.#texts.write(path, text);
    this.#showSaved(path, text, before);
  }

  #showSaved(path: PosixPath, text: string, before: string | undefined): void {
    this.#texts.discard(path);
    this.#documents.update(path, { dirty: false, untitled: false });
    this.#change({ kind: "text", path, text });
    compareDiffs(this.diffs, path, text);
    if (this.#documents.at(path) !== undefined) this.#events.emit("documents");
    this.#followSelection(path, before, text);
  }

  #followSelection(path: PosixPath, before: string | undefined, text: string): void {
    if (this.#selection.follow(path, before, text)) this.#events.emit("selection");
  }

  #emitDiagnostics(files: readonly FileDiagnostics[]): void {
    for (const file of files) this.#change({ kind: "diagnostics", ...file });
    const paths = files.map(({ path }) => path);
    this.#events.emit("diagnostics", paths);
  }
}
