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
  relativeTo,
  type SaveOutcome,
  type Selection,
  ToolFailure,
  toFileUri,
  type Unsubscribe,
  type WorkspaceFolder,
} from "@idewire/core";
import type { ScriptedPerson } from "./scripted-person.ts";
import { textOfRange } from "./text-of-range.ts";
import type { WorkspaceFiles } from "./workspace-files.ts";

/** What a {@link ScriptedHost} is made of. */
export interface ScriptedHostOptions {
  readonly name: string;
  /** The real path of the workspace. */
  readonly folder: PosixPath;
  readonly platform: Platform;
  readonly files: WorkspaceFiles;
  readonly person: ScriptedPerson;
}

/** A document that is open. */
interface Tab {
  /** Unsaved. */
  text: string | undefined;
  lastFocused: number;
}

/** What is wrong with a file, from when its text is not `unless` any more. */
interface Finding {
  readonly diagnostics: readonly Diagnostic[];
  readonly unless: { readonly text: string | undefined } | undefined;
}

/** An editor that does what a script says; agents meet an editor like any other. */
export class ScriptedHost implements Required<Omit<EditorHost, "format" | "fileVersion">> {
  readonly info: { readonly name: string; readonly version: string };
  readonly #options: ScriptedHostOptions;
  readonly #folder: WorkspaceFolder;
  readonly #events = new Emitter<HostEvents>();
  readonly #tabs = new Map<PosixPath, Tab>();
  readonly #findings = new Map<PosixPath, Finding>();
  #selection: Selection | undefined;
  #focus = 0;

  constructor(options: ScriptedHostOptions) {
    this.#options = options;
    this.info = { name: options.name, version: "1.0.0" };
    this.#folder = { path: options.folder, name: baseName(options.folder) };
  }

  // What the script does.

  openDocument(path: PosixPath): void {
    this.#focus += 1;
    const { text } = this.#tabs.get(path) ?? {};
    this.#tabs.set(path, { text, lastFocused: this.#focus });
    this.#events.emit("documents");
  }

  closeDocument(path: PosixPath): boolean {
    const wasOpen = this.#tabs.delete(path);
    if (this.#selection?.path === path) this.clearSelection();
    if (wasOpen) this.#events.emit("documents");
    return wasOpen;
  }

  /** Types, without saving. */
  edit(path: PosixPath, text: string): void {
    this.#focus += 1;
    this.#tabs.set(path, { text, lastFocused: this.#focus });
    this.#events.emit("documents");
  }

  /** @param text what is selected; the document's when left out */
  async setSelection(path: PosixPath, range: Range, text?: string): Promise<void> {
    const selected = text ?? textOfRange(await this.read(path), range);
    this.openDocument(path);
    this.#selection = { path, ranges: [{ ...range, text: selected }], primary: 0 };
    this.#events.emit("selection");
  }

  clearSelection(): void {
    this.#selection = undefined;
    this.#events.emit("selection");
  }

  mention(mention: Mention): void {
    this.#events.emit("mention", mention);
  }

  /** Says what is wrong with a file: now, or once it has been written. */
  async setDiagnostics(
    path: PosixPath,
    diagnostics: readonly Diagnostic[],
    when: "now" | "written",
  ): Promise<void> {
    const unless = when === "now" ? undefined : { text: await this.#savedText(path) };
    this.#findings.set(path, { diagnostics, unless });
    if (unless === undefined) this.#events.emit("diagnostics", [path]);
  }

  /** Tells of what has come true because a file was written; whether anything still waits for that. */
  async lookAtFiles(): Promise<boolean> {
    const waiting = [...this.#findings].filter(([, { unless }]) => unless !== undefined);
    for (const [path, finding] of waiting) {
      if (!(await this.#isTrue(path, finding)) || this.#findings.get(path) !== finding) continue;
      this.#findings.set(path, { ...finding, unless: undefined });
      this.#events.emit("diagnostics", [path]);
    }
    return [...this.#findings.values()].some(({ unless }) => unless !== undefined);
  }

  // What the agents ask.

  workspace(): { readonly folders: readonly WorkspaceFolder[]; readonly trusted: boolean } {
    return { folders: [this.#folder], trusted: true };
  }

  documents(): readonly OpenDocument[] {
    return [...this.#tabs].map(([path, { text, lastFocused }]) => ({
      path,
      uri: toFileUri(path, this.#options.platform),
      languageId: "plaintext",
      dirty: text !== undefined,
      untitled: false,
      active: lastFocused === this.#focus,
      visible: lastFocused === this.#focus,
      lastFocusedMs: lastFocused,
      label: baseName(path),
    }));
  }

  selection(): Selection | undefined {
    return this.#selection;
  }

  on<E extends keyof HostEvents>(event: E, listener: HostEvents[E]): Unsubscribe {
    return this.#events.on(event, listener);
  }

  async read(path: PosixPath): Promise<string> {
    const text = this.#tabs.get(path)?.text ?? (await this.#savedText(path));
    if (text === undefined) throw new ToolFailure(`${path}: there is no such file`);
    return text;
  }

  async reveal(path: PosixPath): Promise<void> {
    await this.read(path);
    this.openDocument(path);
  }

  async select(path: PosixPath, range: Range): Promise<void> {
    await this.setSelection(path, range);
  }

  openDiff(request: DiffRequest, signal: AbortSignal): Promise<DiffOutcome> {
    return this.#options.person.show(request, signal);
  }

  async closeDiff(id: DiffId): Promise<ClosedDiff> {
    return this.#options.person.close(id);
  }

  async diagnostics(path?: PosixPath): Promise<readonly FileDiagnostics[]> {
    await this.lookAtFiles();
    return [...this.#findings]
      .filter(([of, { unless }]) => unless === undefined && (path === undefined || of === path))
      .map(([of, { diagnostics }]) => ({ path: of, diagnostics }));
  }

  async save(path: PosixPath): Promise<SaveOutcome> {
    const tab = this.#tabs.get(path);
    if (tab?.text === undefined) return { saved: tab !== undefined };
    await this.#options.files.write(this.#inWorkspace(path), tab.text);
    tab.text = undefined;
    this.#events.emit("documents");
    return { saved: true };
  }

  async closeTab(key: string): Promise<boolean> {
    const found = [...this.#tabs].find(([path]) => path === key || baseName(path) === key);
    if (found === undefined || found[1].text !== undefined) return false;
    return this.closeDocument(found[0]);
  }

  async #isTrue(path: PosixPath, { unless }: Finding): Promise<boolean> {
    return unless === undefined || (await this.#savedText(path)) !== unless.text;
  }

  #savedText(path: PosixPath): Promise<string | undefined> {
    return this.#options.files.read(this.#inWorkspace(path));
  }

  #inWorkspace(path: PosixPath): string {
    const { folder, platform } = this.#options;
    if (isInside(folder, path, platform)) return relativeTo(folder, path);
    throw new ToolFailure(`${path} is outside the workspace ${folder}`);
  }
}
