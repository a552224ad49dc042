import { stat } from "node:fs/promises";
import {
  baseName,
  type DiffOutcome,
  type DiffRequest,
  Emitter,
  type FileDiagnostics,
  type HostEvents,
  isInside,
  type Mention,
  type OpenDocument,
  type PosixPath,
  type Range,
  type RevealOptions,
  type SaveOutcome,
  type Selection,
  type Unsubscribe,
  type WorkspaceFolder,
} from "@idewire/core";
import type {
  CloseDiffReason,
  ClosedDiff,
  DiffAnswer,
  DiffId,
  EditOptions,
} from "@idewire/core/internal";
import { type DiffAnsweredIn, TextLines } from "@idewire/core/internal";
import { describePath } from "@idewire/core/internal/base";
import { ToolFailure } from "@idewire/core/rpc";
import { platform } from "@idewire/node-server/internal";
import {
  demandPlain,
  fromNative,
  parentOf,
  realFolder,
  toNative,
  WorkspacePaths,
} from "@idewire/node-server/internal/files";
import { readVersion } from "../process/version.ts";
import { checkRangeIn } from "./check-range.ts";
import { FileChecker } from "./diagnostics/file-checker.ts";
import { FolderDiagnostics } from "./diagnostics/folder-diagnostics.ts";
import { defaultDiagnosticSources } from "./diagnostics/sources.ts";
import { FolderDiffs } from "./folder-diffs.ts";
import { FolderEditor } from "./folder-editor.ts";
import type { DiffEvents, FolderHost, FolderHostOptions, PendingDiff } from "./folder-host.ts";
import { FolderWatcher } from "./folder-watcher.ts";
import { TrackedChanges } from "./tracked-changes.ts";
import { WrittenFiles } from "./written-files.ts";

/**
 * Opens a folder as an editor. The caller closes it.
 * @throws IdewireError `not-a-folder`
 */
export async function openFolderHost(
  folder: string,
  options: FolderHostOptions = {},
): Promise<FolderHost> {
  return new HeadlessFolder(fromNative(await realFolder(folder)), options);
}

class HeadlessFolder implements FolderHost {
  readonly name: string;
  readonly version: string;
  readonly folder: PosixPath;
  readonly #workspaceFolders: readonly WorkspaceFolder[];
  readonly #events = new Emitter<HostEvents>();
  readonly #stale = new Emitter<{ stale(path: PosixPath): void }>();
  readonly #paths: WorkspacePaths;
  readonly #editor: FolderEditor;
  readonly #diffs: FolderDiffs;
  readonly #diagnostics: FolderDiagnostics;
  readonly #watcher: FolderWatcher;
  readonly #written = new WrittenFiles((paths) => {
    this.changes.written(paths);
    this.#events.emit("written", paths);
  });
  readonly changes: TrackedChanges;

  constructor(folder: PosixPath, options: FolderHostOptions) {
    this.name = options.name ?? "idewire";
    this.version = readVersion();
    this.folder = folder;
    this.#workspaceFolders = [{ path: folder, name: baseName(folder) }];
    this.#paths = new WorkspacePaths(folder);
    this.#watcher = new FolderWatcher((paths, replaced) => this.#filesChanged(paths, replaced), {
      ...(options.warn && { warn: options.warn }),
    });
    this.#watcher.watch(folder, { first: true });
    this.#editor = new FolderEditor({
      paths: this.#paths,
      events: this.#events,
      onText: (path) => this.#textChanged(path),
      onStale: (path) => this.#stale.emit("stale", path),
    });
    const { documents } = this.#editor;
    const [paths, editor, written] = [this.#paths, this.#editor, this.#written];
    this.changes = new TrackedChanges({ folder, paths, editor, written });
    const watch = (directory: PosixPath) => this.#watcher.watch(directory);
    this.#diffs = new FolderDiffs({ paths: this.#paths, documents, watch });
    const {
      diagnosticSources: sources = defaultDiagnosticSources,
      diagnosticsProviders: providers = [],
    } = options;
    this.#diagnostics = new FolderDiagnostics({
      folder,
      documents,
      checker: new FileChecker({ paths: this.#paths, documents, sources }),
      providers: { providers, paths: this.#paths },
      onChange: (paths) => this.#events.emit("diagnostics", paths),
      watch,
      found: (files, isNew) => this.#written.found(files, isNew),
    });
    this.#diagnostics.start();
  }

  get pendingDiffs(): readonly PendingDiff[] {
    return this.#diffs.pending.shown;
  }

  workspace(): { readonly folders: readonly WorkspaceFolder[]; readonly trusted: boolean } {
    return { folders: this.#workspaceFolders, trusted: true };
  }

  documents(): readonly OpenDocument[] {
    return this.#editor.documents.list();
  }

  /** The folder's editor always has the focus: the current selection is the latest one. */
  selection(_which: "current" | "latest"): Selection | undefined {
    return this.#editor.selection.value;
  }

  read(path: PosixPath): Promise<string> {
    return this.#editor.read(path);
  }

  open(path: PosixPath): Promise<void> {
    return this.#editor.open(path);
  }

  select(path: PosixPath, range: Range, text?: string): Promise<void> {
    return this.#editor.select(path, range, text);
  }

  async reveal(path: PosixPath, { range, preserveFocus }: RevealOptions): Promise<void> {
    if (preserveFocus) await this.#editor.openBehind(path);
    else if (range !== undefined) await this.#editor.select(path, range);
    else await this.#editor.open(path);
  }

  clearSelection(): void {
    this.#editor.clearSelection();
  }

  async mention(mention: Mention): Promise<void> {
    const { path, lines } = mention;
    const { real } = await this.#paths.demandInside(path);
    demandPlain(path, real);
    const isOpen = this.#editor.documents.get(real) !== undefined;
    if (!isOpen && !(await isThere(real)))
      throw new ToolFailure(`${describePath(path)} does not exist`);
    if (lines !== undefined) await this.#checkLines(path, lines);
    this.#events.emit("mention", { ...mention, path: real });
  }

  /** Lines are checked only in texts; folders, images and large files are not read. */
  async #checkLines(path: PosixPath, { start, end }: NonNullable<Mention["lines"]>): Promise<void> {
    const text = await this.#editor.read(path).catch(() => undefined);
    if (text === undefined) return;
    const at = (line: number) => ({ line, character: 0 });
    checkRangeIn(new TextLines(text), { start: at(start), end: at(end) });
  }

  edit(path: PosixPath, text: string, options?: EditOptions): Promise<void> {
    return this.#editor.edit(path, text, options);
  }

  revert(path: PosixPath): Promise<void> {
    return this.#editor.revert(path);
  }

  keepUnsaved(path: PosixPath): Promise<void> {
    return this.#editor.keepUnsaved(path);
  }

  get stale(): readonly PosixPath[] {
    return this.#editor.documents.stale;
  }

  onStale(listener: (path: PosixPath) => void): Unsubscribe {
    return this.#stale.on("stale", listener);
  }

  async save(path: PosixPath): Promise<SaveOutcome> {
    const { real } = await this.#paths.demandInside(path);
    const outcome = await this.#written.save(real, () => this.#editor.save(path));
    if (outcome.saved) await this.changes.saved(real);
    return outcome;
  }

  closeTab(key: string): Promise<boolean> {
    return this.#editor.closeTab(key);
  }

  closeDocument(path: PosixPath, options: { readonly discard: boolean }): Promise<boolean> {
    return this.#editor.closeDocument(path, options);
  }

  openDiff(request: DiffRequest, signal: AbortSignal): Promise<DiffOutcome> {
    // The agent will soon request the diagnostics from before the edit.
    this.#diagnostics.expect(request.path);
    return this.#diffs.pending.open(request, signal);
  }

  async closeDiff(id: DiffId, why: CloseDiffReason): Promise<ClosedDiff> {
    return this.#diffs.pending.close(id, why);
  }

  answerDiff(id: DiffId, answer: DiffAnswer, by: DiffAnsweredIn = "script"): boolean {
    return this.#diffs.pending.answer(id, answer, by);
  }

  onDiff<E extends keyof DiffEvents>(event: E, listener: DiffEvents[E]): Unsubscribe {
    return this.#diffs.pending.events.on(event, listener);
  }

  async fileVersion(path: PosixPath): Promise<string | undefined> {
    const { real } = await this.#paths.demandInside(path);
    this.#watcher.watch(parentOf(real));
    await this.changes.remember(real);
    return this.#written.expect(real);
  }

  async diagnostics(path?: PosixPath): Promise<readonly FileDiagnostics[]> {
    return path === undefined
      ? this.#diagnostics.ofFolder()
      : [await this.#diagnostics.ofFile(path)];
  }

  setDiagnostics(files: readonly FileDiagnostics[]): void {
    this.#diagnostics.setGiven(files);
  }

  on<E extends keyof HostEvents>(event: E, listener: HostEvents[E]): Unsubscribe {
    return this.#events.on(event, listener);
  }

  async close(): Promise<void> {
    this.#watcher.close();
    this.#written.close();
    this.#editor.close();
    this.#diffs.pending.end();
    await this.#diagnostics.close();
  }

  #textChanged(path: PosixPath): void {
    this.#watcher.watch(parentOf(path), { first: true });
    this.#diffs.changed([path]);
    void this.#diagnostics.filesChanged([path]);
  }

  #filesChanged(all: readonly PosixPath[], replaced: ReadonlySet<PosixPath>): void {
    this.#diffs.changed(all);
    // Outside there are only the files of diffs.
    const paths = all.filter((path) => isInside(this.folder, path, platform));
    for (const path of paths) void this.#editor.reload(path);
    void this.#written.changed(paths, replaced);
    void this.#diagnostics.filesChanged(paths);
  }
}

function isThere(real: PosixPath): Promise<boolean> {
  return stat(toNative(real)).then(
    () => true,
    () => false,
  );
}
