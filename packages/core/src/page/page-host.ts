import { Emitter } from "../emitter.ts";
import { IdewireError, ToolFailure } from "../errors.ts";
import { FILE_CHANGED } from "../ide/diffs/diff-notes.ts";
import { PendingDiffs } from "../ide/diffs/pending-diffs.ts";
import type {
  Diagnostic,
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
} from "../ide/editor-host.ts";
import { toFileUri } from "../paths/file-uri.ts";
import { baseName, isInside, type PosixPath, parsePosixPath } from "../paths/posix-path.ts";
import type { PageReview, ReviewContext } from "./page-review.ts";

/** A file that the editors of a page show. */
export interface PageFile {
  readonly path: PosixPath;
  /** As in LSP: `markdown`, `typescript`. */
  readonly languageId: string;
  /** The text, unsaved changes included, to the byte. */
  readonly text: string;
  /** Whether the text differs from the file. */
  readonly dirty: boolean;
  readonly visible: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** Undefined when no editor shows the file. */
  selection(): Omit<Selection, "path"> | undefined;
  /** Scrolls to a range and selects it. */
  reveal(options: RevealOptions): void;
  /** Called when this text is on disk; the editors are not changed. */
  setSaved(text: string): void;
  /** Shows this text, which is on disk now. */
  replace(text: string): void;
}

/** The page's side of a host: names, folders, editors and callbacks. */
export interface PageHostOptions<Review extends PageReview> {
  readonly name: string;
  readonly version: string;
  /** The real absolute paths of the workspace folders, with forward slashes. */
  readonly folders: readonly string[];
  /**
   * Reads a file that no editor shows, for agents: it must follow links and refuse files outside the folders.
   * @returns its text; undefined when there is no such file
   */
  readonly read: (path: PosixPath) => Promise<string | undefined>;
  /** Shows a file in an editor, and resolves once it is shown. */
  readonly open?: (path: PosixPath) => Promise<void> | void;
  /** Writes the text of an open file; without it agents cannot save. */
  readonly save?: (path: PosixPath, text: string) => Promise<void>;
  /** The files that the editors of the page have. */
  readonly files: () => Iterable<PageFile>;
  readonly createReview: (context: ReviewContext) => Review;
  /** Shows a diff; without it agents ask in their terminals. */
  readonly showReview?: (review: Review) => void;
}

/** An `EditorHost` over the editors of a page, whichever component they are made with. */
export class PageHost<Review extends PageReview> {
  /** The pending diffs: `shown`, `get(id)`, and the events `diffOpened`, `diffChanged`, `diffClosed`. */
  readonly diffs: PendingDiffs<Review>;
  /** Report changes of the editors here. */
  readonly events: Emitter<HostEvents> = new Emitter();
  readonly #options: PageHostOptions<Review>;
  readonly #folders: readonly WorkspaceFolder[];
  readonly #focusedMs = new Map<PosixPath, number>();
  #lastFocusedMs = 0;

  /** @throws IdewireError `invalid-argument` for a relative folder path */
  constructor(options: PageHostOptions<Review>) {
    this.#options = options;
    this.#folders = options.folders.map((folder) => {
      const path = demandPath(folder);
      return { path, name: baseName(path) };
    });
    this.diffs = this.#createDiffs();
  }

  /** For `serveHost`, or `listenIde` in the same process. */
  asHost(): EditorHost {
    const { name, version, save, showReview } = this.#options;
    return {
      ...{ name, version },
      workspace: () => ({ folders: this.#folders, trusted: true }),
      documents: () => this.#documents(),
      selection: () => this.#selection(),
      read: (path) => this.#read(path),
      reveal: (path, options) => this.#reveal(path, options),
      select: (path, range) => this.#reveal(path, { range }),
      diagnostics: async (path) => this.#diagnostics(path),
      ...(save !== undefined && { save: (path) => this.save(path) }),
      ...(showReview !== undefined && {
        openDiff: (request, signal) => this.diffs.open(request, signal),
        closeDiff: async (id, why) => this.diffs.close(id, why),
      }),
      on: (event, listener) => this.events.on(event, listener),
    };
  }

  /**
   * The path of a file in one of the folders.
   * @throws IdewireError `invalid-argument` for any other
   */
  pathOf(name: string): PosixPath {
    const path = demandPath(name);
    if (this.#isInside(path)) return path;
    throw new IdewireError("invalid-argument", `${path} is in none of the folders`);
  }

  /** An editor of the file has the focus, or was added. */
  focused(path: PosixPath): void {
    this.#lastFocusedMs = Math.max(Date.now(), this.#lastFocusedMs + 1);
    this.#focusedMs.set(path, this.#lastFocusedMs);
    this.#changed();
  }

  /** No editor shows the file any more. */
  closed(path: PosixPath): void {
    this.#focusedMs.delete(path);
    this.#changed();
  }

  /** Refers the agents to the selected lines of a file, by default the active one, or to the whole file. */
  mention(path: PosixPath | undefined = this.#active?.path): boolean {
    const file = path === undefined ? undefined : this.#find(path);
    if (file === undefined) return false;
    const lines = selectedLines(file.selection());
    this.events.emit("mention", { path: file.path, ...(lines && { lines }) });
    return true;
  }

  async save(path: PosixPath): Promise<SaveOutcome> {
    const text = this.#find(path)?.text;
    if (text === undefined) {
      await this.#read(path);
      return { saved: true };
    }
    try {
      await this.#options.save?.(path, text);
    } catch (error) {
      return { saved: false, message: `${path}: ${(error as Error).message}` };
    }
    // Its editors may be others by now.
    this.#find(path)?.setSaved(text);
    this.events.emit("documents");
    return { saved: true };
  }

  /**
   * Call this when another program, such as an agent, has written a file: its editors then show the new text.
   * @returns false when there is unsaved text, which is kept
   */
  fileChanged(name: string, text: string): boolean {
    const path = demandPath(name);
    this.#compareReviews(path, text);
    this.events.emit("written", [path]);
    const file = this.#find(path);
    if (file === undefined) return true;
    const isKept = file.dirty;
    if (isKept) file.setSaved(text);
    else file.replace(text);
    this.events.emit("documents");
    return !isKept;
  }

  /** Cancels the pending diffs, and later ones at once. */
  close(): void {
    this.diffs.end();
  }

  #createDiffs(): PendingDiffs<Review> {
    const { createReview, showReview } = this.#options;
    const diffs: PendingDiffs<Review> = new PendingDiffs<Review>({
      prepare: async (request: DiffRequest) => {
        const original = (await this.#currentText(request.path)) ?? "";
        const answer: ReviewContext["answer"] = (one) => diffs.answer(request.id, one, "editor");
        return createReview({ request, original, answer });
      },
      textOf: (review) => review.text,
    });
    diffs.events.on("diffOpened", (review) => showReview?.(review));
    diffs.events.on("diffClosed", (review) => review.end());
    return diffs;
  }

  /**
   * Marks pending diffs of a file that was written in the meantime, unless with the proposed text, as by the
   * agent.
   */
  #compareReviews(path: PosixPath, text: string): void {
    for (const review of this.diffs.shown) {
      if (review.request.path !== path) continue;
      if ([review.original, review.request.proposed].includes(text)) continue;
      review.addNote(FILE_CHANGED);
      this.diffs.update(review);
    }
  }

  get #files(): readonly PageFile[] {
    return [...this.#options.files()];
  }

  /** The file that had the focus last. */
  get #active(): PageFile | undefined {
    const msOf = (file: PageFile | undefined) => (file && this.#focusedMs.get(file.path)) ?? 0;
    return this.#files.reduce<PageFile | undefined>(
      (last, file) => (msOf(file) > msOf(last) ? file : last),
      undefined,
    );
  }

  #find(path: PosixPath): PageFile | undefined {
    return this.#files.find((file) => file.path === path);
  }

  #changed(): void {
    this.events.emit("documents");
    this.events.emit("selection");
  }

  #documents(): readonly OpenDocument[] {
    const active = this.#active?.path;
    return this.#files.map(({ path, languageId, dirty, visible }) => ({
      ...{ path, uri: toFileUri(path, "posix"), label: baseName(path), languageId, dirty, visible },
      untitled: false,
      active: path === active,
      lastFocusedMs: this.#focusedMs.get(path) ?? 0,
    }));
  }

  #selection(): Selection | undefined {
    const file = this.#active;
    const selection = file?.selection();
    return file && selection && { path: file.path, ...selection };
  }

  async #read(path: PosixPath): Promise<string> {
    if (!this.#isInside(path)) throw new ToolFailure(`${path} is outside the workspace folders`);
    const text = await this.#currentText(path);
    if (text === undefined) throw new ToolFailure(`${path}: there is no such file`);
    return text;
  }

  async #currentText(path: PosixPath): Promise<string | undefined> {
    const file = this.#find(path);
    if (file !== undefined) return file.text;
    try {
      return await this.#options.read(path);
    } catch (error) {
      if (error instanceof ToolFailure) throw error;
      throw new ToolFailure(`${path} cannot be read: ${(error as Error).message}`);
    }
  }

  async #reveal(path: PosixPath, options: RevealOptions): Promise<void> {
    const isShown = () => this.#find(path)?.selection() !== undefined;
    if (!isShown()) {
      await this.#read(path);
      await this.#options.open?.(path);
    }
    if (!isShown()) throw new ToolFailure(`${path} is not shown in an editor`);
    this.#find(path)?.reveal(options);
  }

  #diagnostics(path: PosixPath | undefined): readonly FileDiagnostics[] {
    const files = this.#files.filter((file) => path === undefined || file.path === path);
    return files.map((file) => ({ path: file.path, diagnostics: file.diagnostics }));
  }

  #isInside(path: PosixPath): boolean {
    return this.#folders.some((folder) => isInside(folder.path, path));
  }
}

/** @throws IdewireError `invalid-argument` */
function demandPath(text: string): PosixPath {
  const path = parsePosixPath(text);
  if (path.ok) return path.value;
  throw new IdewireError("invalid-argument", path.issue);
}

/** The lines with selected characters of the primary range, 0-based; undefined for a cursor. */
function selectedLines(selection: Omit<Selection, "path"> | undefined): Mention["lines"] {
  const range = selection?.ranges[selection.primary];
  if (range === undefined || range.text === "") return undefined;
  const { start, end } = range;
  return { start: start.line, end: end.character === 0 ? end.line - 1 : end.line };
}
