import { Emitter, type Unsubscribe } from "../emitter.ts";
import { ToolFailure } from "../errors.ts";
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
  Range,
  RevealOptions,
  SaveOutcome,
  Selection,
  WorkspaceFolder,
} from "../ide/editor-host.ts";
import type { PosixPath } from "../paths/posix-path.ts";
import { posixPath } from "./posix-path.ts";

/** One call of an asynchronous member, with its arguments. */
export interface FakeCall {
  readonly member: keyof EditorHost;
  readonly args: readonly unknown[];
}

/** What the person says to a proposal that is shown. */
export type Answer = Exclude<DiffOutcome, { readonly kind: "cancelled" }>;

/** Members that replace the fake's own; `undefined` takes an optional one away. */
export type EditorHostOverrides = { readonly [M in keyof EditorHost]?: EditorHost[M] | undefined };

interface ShownDiff {
  readonly request: DiffRequest;
  readonly settle: (outcome: DiffOutcome) => void;
}

const FOLDER: WorkspaceFolder = { path: posixPath("/vault"), name: "work" };

/**
 * An editor in memory that a test plays: it has every optional member, its one folder is `/vault`,
 * and a diff waits until the test answers it.
 */
export class FakeEditorHost implements Required<EditorHost> {
  readonly info = { name: "Fake Editor", version: "1.0.0" };
  /** What the agents asked, oldest first; members that were overridden do not show. */
  readonly calls: FakeCall[] = [];
  folders: readonly WorkspaceFolder[] = [FOLDER];
  trusted = true;
  readonly #events = new Emitter<HostEvents>();
  readonly #saved = new Map<PosixPath, string>();
  readonly #unsaved = new Map<PosixPath, string>();
  readonly #diffs = new Map<DiffId, ShownDiff>();
  #documents: readonly OpenDocument[] = [];
  #selection: Selection | undefined;
  #latestSelection: Selection | undefined;
  #diagnostics: readonly FileDiagnostics[] = [];

  // What the test does.

  /** Puts a file on the disk. */
  writeFile(path: PosixPath, text: string): void {
    this.#saved.set(path, text);
  }

  /** Gives a file text that is not saved. */
  edit(path: PosixPath, text: string): void {
    this.#unsaved.set(path, text);
    this.#events.emit("documents");
  }

  setDocuments(documents: readonly OpenDocument[]): void {
    this.#documents = documents;
    this.#events.emit("documents");
  }

  /** Selects, or with `undefined` leaves nothing selected, now and latest. */
  setSelection(selection: Selection | undefined): void {
    this.#selection = selection;
    this.#latestSelection = selection;
    this.#events.emit("selection");
  }

  /** The focus goes elsewhere: there is no current selection, and the latest stays. */
  blur(): void {
    this.#selection = undefined;
    this.#events.emit("selection");
  }

  setDiagnostics(files: readonly FileDiagnostics[]): void {
    this.#diagnostics = files;
    this.#events.emit(
      "diagnostics",
      files.map(({ path }) => path),
    );
  }

  mention(mention: Mention): void {
    this.#events.emit("mention", mention);
  }

  /** The proposals that wait, oldest first. */
  get shownDiffs(): readonly DiffRequest[] {
    return [...this.#diffs.values()].map(({ request }) => request);
  }

  /** Answers a proposal; false when it does not wait any more. */
  answer(id: DiffId, outcome: Answer): boolean {
    return this.#settle(id, outcome) !== undefined;
  }

  /** The arguments of every call of one member, oldest first. */
  callsOf(member: keyof EditorHost): readonly (readonly unknown[])[] {
    return this.calls.filter((call) => call.member === member).map(({ args }) => args);
  }

  // What the agents ask.

  workspace(): { readonly folders: readonly WorkspaceFolder[]; readonly trusted: boolean } {
    return { folders: this.folders, trusted: this.trusted };
  }

  documents(): readonly OpenDocument[] {
    return this.#documents;
  }

  selection(which: "current" | "latest"): Selection | undefined {
    return which === "current" ? this.#selection : this.#latestSelection;
  }

  on<E extends keyof HostEvents>(event: E, listener: HostEvents[E]): Unsubscribe {
    return this.#events.on(event, listener);
  }

  async fileVersion(path: PosixPath): Promise<string | undefined> {
    this.#record("fileVersion", path);
    return this.#saved.get(path);
  }

  async read(path: PosixPath): Promise<string> {
    this.#record("read", path);
    const text = this.#unsaved.get(path) ?? this.#saved.get(path);
    if (text === undefined) throw new ToolFailure(`${path}: there is no such file`);
    return text;
  }

  async reveal(path: PosixPath, options: RevealOptions): Promise<void> {
    this.#record("reveal", path, options);
  }

  async select(path: PosixPath, range: Range): Promise<void> {
    this.#record("select", path, range);
  }

  async openDiff(request: DiffRequest, signal: AbortSignal): Promise<DiffOutcome> {
    this.#record("openDiff", request);
    if (signal.aborted) return { kind: "cancelled" };
    return new Promise((resolve) => {
      this.#diffs.set(request.id, { request, settle: resolve });
      const abort = () => this.#settle(request.id, { kind: "cancelled" });
      signal.addEventListener("abort", abort, { once: true });
    });
  }

  async closeDiff(id: DiffId, why: CloseDiffReason): Promise<ClosedDiff> {
    this.#record("closeDiff", id, why);
    const shown = this.#settle(id, { kind: "cancelled" });
    return shown === undefined
      ? { alreadyClosed: true }
      : { alreadyClosed: false, text: shown.request.proposed };
  }

  async diagnostics(path?: PosixPath): Promise<readonly FileDiagnostics[]> {
    this.#record("diagnostics", ...(path === undefined ? [] : [path]));
    if (path === undefined) return this.#diagnostics;
    return this.#diagnostics.filter((file) => file.path === path);
  }

  async save(path: PosixPath): Promise<SaveOutcome> {
    this.#record("save", path);
    const text = this.#unsaved.get(path);
    if (text !== undefined) this.#saved.set(path, text);
    return { saved: this.#saved.has(path) };
  }

  async format(path: PosixPath): Promise<void> {
    this.#record("format", path);
  }

  async closeTab(key: string): Promise<boolean> {
    this.#record("closeTab", key);
    const left = this.#documents.filter(({ label, path }) => label !== key && path !== key);
    const found = left.length < this.#documents.length;
    if (found) this.setDocuments(left);
    return found;
  }

  #record(member: keyof EditorHost, ...args: readonly unknown[]): void {
    this.calls.push({ member, args });
  }

  #settle(id: DiffId, outcome: DiffOutcome): ShownDiff | undefined {
    const shown = this.#diffs.get(id);
    this.#diffs.delete(id);
    shown?.settle(outcome);
    return shown;
  }
}

/** An editor in memory, with `overrides` in place of its own members. */
export function fakeEditorHost(overrides: EditorHostOverrides = {}): FakeEditorHost {
  return Object.assign(new FakeEditorHost(), overrides) as FakeEditorHost;
}
