import {
  baseName,
  type ClosedDiff,
  type Diagnostic,
  type DiffId,
  type DiffOutcome,
  type DiffRequest,
  type EditorHost,
  Emitter,
  type FileDiagnostics,
  type HostEvents,
  isInside,
  type Mention,
  type OpenDocument,
  type Platform,
  type PosixPath,
  type Range,
  type RevealOptions,
  relativeTo,
  type SaveOutcome,
  type Selection,
  ToolFailure,
  toFileUri,
  type Unsubscribe,
  type WorkspaceFolder,
} from "@idewire/core";
import type { EditorChange } from "../trace/trace-event.ts";
import { textInRange } from "./text-in-range.ts";

/** What a {@link MemoryEditor} is made of. */
export interface MemoryEditorOptions {
  readonly folder: PosixPath;
  /** How its machine writes paths; `posix` when left out. */
  readonly platform?: Platform;
  /** Texts by their paths in the folder, as `notes/plan.md`. */
  readonly files: Readonly<Record<string, string>>;
  /** Finds what is wrong with a text; nothing is when left out. */
  readonly check?: (path: string, text: string, files: readonly string[]) => readonly Diagnostic[];
  /** Hears of every change of the editor's state, in order. */
  readonly onchange?: (change: EditorChange) => void;
}

/** How the person answers a proposal. */
export type ReviewAnswer =
  | { readonly kind: "accepted"; readonly text: string }
  | { readonly kind: "rejected" }
  | { readonly kind: "closed" };

interface Review {
  readonly request: DiffRequest;
  readonly settle: (outcome: DiffOutcome) => void;
}

/** An editor over files in memory, played by a person, a page or a script; agents meet it as any other. */
export class MemoryEditor implements EditorHost {
  readonly info = { name: "idewire playground", version: "1.0.0" };
  readonly #folder: WorkspaceFolder;
  readonly #platform: Platform;
  readonly #options: MemoryEditorOptions;
  readonly #events = new Emitter<HostEvents>();
  readonly #saved = new Map<string, string>();
  readonly #unsaved = new Map<string, string>();
  /** The open files, the one with the focus last. */
  #tabs: string[] = [];
  readonly #reviews = new Map<DiffId, Review>();
  readonly #diagnostics = new Map<string, string>();
  #selection: Selection | undefined;

  constructor(options: MemoryEditorOptions) {
    this.#options = options;
    this.#platform = options.platform ?? "posix";
    this.#folder = { path: options.folder, name: baseName(options.folder) };
    for (const [path, text] of Object.entries(options.files)) this.writeFile(path, text);
  }

  // What the person does. Paths are relative to the folder.

  /** Writes a file on the disk, as an agent or another program does; an open one shows it. */
  writeFile(path: string, text: string): void {
    this.#saved.set(path, text);
    this.#unsaved.delete(path);
    this.#tell({ kind: "text", path, text });
    this.#recheck();
    if (this.#tabs.includes(path)) this.#events.emit("documents");
  }

  deleteFile(path: string): void {
    this.closeFile(path);
    if (this.#saved.delete(path)) this.#tell({ kind: "deleted", path });
    this.#recheck();
  }

  openFile(path: string): void {
    this.textOf(path);
    if (this.#tabs.at(-1) === path) return;
    this.#tabs = [...this.#tabs.filter((tab) => tab !== path), path];
    this.#tell({ kind: "opened", path });
    this.#events.emit("documents");
  }

  closeFile(path: string): boolean {
    if (!this.#tabs.includes(path)) return false;
    this.#tabs = this.#tabs.filter((tab) => tab !== path);
    this.#unsaved.delete(path);
    this.#tell({ kind: "closed", path });
    if (this.#selection?.path === this.absolute(path)) this.#setSelection(undefined);
    this.#events.emit("documents");
    return true;
  }

  /** Changes the text of an open file without saving it. */
  type(path: string, text: string): void {
    if (this.textOf(path) === text) return;
    this.#unsaved.set(path, text);
    this.#tell({ kind: "text", path, text, unsaved: true });
    this.#recheck();
    this.#events.emit("documents");
  }

  /** Selects a range of a file; an empty one is a cursor. */
  selectRange(path: string, range: Range): void {
    const text = textInRange(this.textOf(path), range);
    this.openFile(path);
    this.#tell({ kind: "selected", path, range });
    this.#setSelection({ path: this.absolute(path), ranges: [{ ...range, text }], primary: 0 });
  }

  mention(path: string, lines?: { readonly start: number; readonly end: number }): void {
    const mention: Mention = { path: this.absolute(path), ...(lines !== undefined && { lines }) };
    this.#events.emit("mention", mention);
  }

  /** Answers a proposal; false when it is not there any more. */
  answer(id: DiffId, answer: ReviewAnswer): boolean {
    const review = this.#reviews.get(id);
    if (review === undefined) return false;
    const edited = answer.kind === "accepted" && answer.text !== review.request.proposed;
    this.#endReview(id, answer.kind);
    review.settle(answer.kind === "accepted" ? { ...answer, edited } : answer);
    return true;
  }

  /** The proposals that wait for an answer, oldest first. */
  get reviews(): readonly DiffRequest[] {
    return [...this.#reviews.values()].map(({ request }) => request);
  }

  /** All files, sorted. */
  get paths(): readonly string[] {
    return [...this.#saved.keys()].sort();
  }

  /**
   * The text of a file, unsaved first.
   * @throws ToolFailure when there is no such file
   */
  textOf(path: string): string {
    const text = this.#unsaved.get(path) ?? this.#saved.get(path);
    if (text === undefined) throw new ToolFailure(`${path}: there is no such file`);
    return text;
  }

  absolute(path: string): PosixPath {
    return `${this.#folder.path}/${path}` as PosixPath;
  }

  // What the agents ask.

  workspace(): { readonly folders: readonly WorkspaceFolder[]; readonly trusted: boolean } {
    return { folders: [this.#folder], trusted: true };
  }

  documents(): readonly OpenDocument[] {
    return this.#tabs.map((path, index) => ({
      path: this.absolute(path),
      uri: toFileUri(this.absolute(path), this.#platform),
      languageId: path.endsWith(".ts") ? "typescript" : "markdown",
      dirty: this.#unsaved.has(path),
      untitled: false,
      active: index === this.#tabs.length - 1,
      visible: index === this.#tabs.length - 1,
      lastFocusedMs: index + 1,
      label: baseName(this.absolute(path)),
    }));
  }

  selection(): Selection | undefined {
    return this.#selection;
  }

  async read(path: PosixPath): Promise<string> {
    return this.textOf(this.#inFolder(path));
  }

  async reveal(path: PosixPath, { range }: RevealOptions): Promise<void> {
    const inside = this.#inFolder(path);
    this.openFile(inside);
    if (range !== undefined) this.selectRange(inside, range);
  }

  async select(path: PosixPath, range: Range): Promise<void> {
    this.selectRange(this.#inFolder(path), range);
  }

  openDiff(request: DiffRequest, signal: AbortSignal): Promise<DiffOutcome> {
    const path = this.#nameOf(request.path);
    const original = this.#unsaved.get(path) ?? this.#saved.get(path) ?? "";
    const { id, title, proposed } = request;
    return new Promise((settle) => {
      this.#reviews.set(id, { request, settle });
      this.#tell({ kind: "review-opened", id, path, title, original, proposed });
      signal.addEventListener("abort", () => void this.closeDiff(id), { once: true });
    });
  }

  async closeDiff(id: DiffId): Promise<ClosedDiff> {
    const review = this.#reviews.get(id);
    if (review === undefined) return { alreadyClosed: true };
    this.#endReview(id, "cancelled");
    review.settle({ kind: "cancelled" });
    return { alreadyClosed: false };
  }

  async diagnostics(path?: PosixPath): Promise<readonly FileDiagnostics[]> {
    const paths = path === undefined ? this.paths : [this.#nameOf(path)];
    return paths
      .map((one) => ({ path: this.absolute(one), diagnostics: this.#check(one) }))
      .filter(({ diagnostics }) => path !== undefined || diagnostics.length > 0);
  }

  async save(path: PosixPath): Promise<SaveOutcome> {
    const inside = this.#inFolder(path);
    const text = this.#unsaved.get(inside);
    if (text !== undefined) this.writeFile(inside, text);
    return { saved: true };
  }

  async closeTab(key: string): Promise<boolean> {
    const path = this.#tabs.find((tab) => this.absolute(tab) === key || tab.endsWith(key));
    return path !== undefined && !this.#unsaved.has(path) && this.closeFile(path);
  }

  on<E extends keyof HostEvents>(event: E, listener: HostEvents[E]): Unsubscribe {
    return this.#events.on(event, listener);
  }

  #setSelection(selection: Selection | undefined): void {
    this.#selection = selection;
    this.#events.emit("selection");
  }

  #endReview(id: DiffId, outcome: DiffOutcome["kind"]): void {
    this.#reviews.delete(id);
    this.#tell({ kind: "review-closed", id, outcome });
  }

  #check(path: string): readonly Diagnostic[] {
    const text = this.#unsaved.get(path) ?? this.#saved.get(path);
    return text === undefined ? [] : (this.#options.check?.(path, text, this.paths) ?? []);
  }

  #recheck(): void {
    const changed = this.paths.filter((path) => {
      const diagnostics = this.#check(path);
      const text = JSON.stringify(diagnostics);
      if ((this.#diagnostics.get(path) ?? "[]") === text) return false;
      this.#diagnostics.set(path, text);
      this.#tell({ kind: "diagnostics", path, diagnostics });
      return true;
    });
    if (changed.length > 0) {
      this.#events.emit(
        "diagnostics",
        changed.map((path) => this.absolute(path)),
      );
    }
  }

  #tell(change: EditorChange): void {
    this.#options.onchange?.(change);
  }

  #nameOf(path: PosixPath): string {
    const isOurs = isInside(this.#folder.path, path, this.#platform);
    return isOurs ? relativeTo(this.#folder.path, path) : path;
  }

  #inFolder(path: PosixPath): string {
    if (isInside(this.#folder.path, path, this.#platform))
      return relativeTo(this.#folder.path, path);
    throw new ToolFailure(`${path} is outside the workspace ${this.#folder.path}`);
  }
}
