import { setTimeout as delay } from "node:timers/promises";
import type { Emitter } from "@idewire/core";
import {
  type HostEvents,
  isInside,
  type PosixPath,
  type Range,
  type SaveOutcome,
  toPosixPath,
} from "@idewire/core";
import type { EditOptions } from "@idewire/core/internal";
import { describePath, mergeTyped } from "@idewire/core/internal/base";
import { ToolFailure } from "@idewire/core/rpc";
import { platform } from "@idewire/node-server/internal";
import type { TextFile, WorkspacePaths } from "@idewire/node-server/internal/files";
import { demandPlain, isSamePath } from "@idewire/node-server/internal/files";
import { FolderSelection } from "./folder-selection.ts";
import {
  createDocument,
  type DocumentState,
  isDirty,
  OpenDocuments,
  setSaved,
  setText,
} from "./open-documents.ts";
import { saveTextFile } from "./save-text-file.ts";

/** How long a file may be missing while it is replaced by deletion and creation. */
const REPLACE_MS = 100;

const ELSEWHERE: TextFile = {
  kind: "refused",
  rule: "elsewhere",
  why: "leads elsewhere through a link",
};

export interface FolderEditorOptions {
  readonly paths: WorkspacePaths;
  readonly events: Emitter<HostEvents>;
  /** Called when a document was opened, and when its text has changed. */
  readonly onText: (path: PosixPath) => void;
  /** Called when the file of a document with unsaved text has changed. */
  readonly onStale: (path: PosixPath) => void;
}

/** The documents of a folder and the selection in them. */
export class FolderEditor {
  readonly documents: OpenDocuments = new OpenDocuments();
  readonly selection: FolderSelection = new FolderSelection();
  readonly #paths: WorkspacePaths;
  readonly #events: Emitter<HostEvents>;
  readonly #onText: (path: PosixPath) => void;
  readonly #onStale: (path: PosixPath) => void;
  readonly #closing = new AbortController();
  #lastLook = 0;

  constructor({ paths, events, onText, onStale }: FolderEditorOptions) {
    this.#paths = paths;
    this.#events = events;
    this.#onText = onText;
    this.#onStale = onStale;
  }

  async open(path: PosixPath): Promise<void> {
    this.#bringToFront(this.#add(await this.#load(path)));
  }

  /** Opens a document behind the active one. */
  async openBehind(path: PosixPath): Promise<void> {
    this.#add(await this.#load(path));
  }

  async select(path: PosixPath, range: Range, text?: string): Promise<void> {
    const document = await this.#load(path);
    demandPlain(path, document.path);
    this.selection.set(document, range, text);
    this.documents.focus(this.#add(document));
    this.#events.emit("documents");
    this.#events.emit("selection");
  }

  clearSelection(): void {
    if (this.selection.value === undefined) return;
    this.selection.clear();
    this.#events.emit("selection");
  }

  async read(path: PosixPath): Promise<string> {
    const typed = this.documents.get(path);
    if (typed !== undefined && isDirty(typed)) return typed.text;
    const { real, file } = await this.#paths.readInside(path);
    demandPlain(path, real);
    const document = this.documents.get(real);
    if (document !== undefined && isDirty(document)) return document.text;
    return this.#demandText(path, file).text;
  }

  async edit(path: PosixPath, text: string, { over, restores }: EditOptions = {}): Promise<void> {
    const loaded = await this.#load(path);
    demandPlain(path, loaded.path);
    const document = this.#add(loaded);
    if (document.lastFocusedMs === 0) this.#bringToFront(document);
    if (restores === true && isDirty(document)) return;
    if (over === undefined || document.text === over) {
      this.#change(document, text);
    } else if (isDirty(document)) {
      this.#change(document, mergeTyped(over, text, document.text));
    } else if (text !== over && text !== document.text) {
      // Typed over a text that is no longer on disk: it must not be saved without the person's decision.
      document.savedText = over;
      this.#change(document, text);
      this.#setStale(document, true);
    }
  }

  async save(path: PosixPath): Promise<SaveOutcome> {
    const { real } = await this.#paths.demandInside(path);
    const document = this.documents.get(real);
    if (document === undefined)
      return { saved: false, message: `${describePath(path)} is not open` };
    if (!isDirty(document)) return { saved: true };
    const { text, savedText: expected, bom } = document;
    const outcome = await saveTextFile({ path: real, text, expected, bom }, this.#paths);
    if (outcome.saved) {
      setSaved(document, { text, bom });
      document.look = ++this.#lastLook;
      this.#events.emit("documents");
    }
    return outcome;
  }

  async revert(path: PosixPath): Promise<void> {
    const { document, file } = await this.#onDisk(path);
    setSaved(document, file);
    if (!this.#change(document, file.text)) this.#events.emit("documents");
  }

  async keepUnsaved(path: PosixPath): Promise<void> {
    const { document, file } = await this.#onDisk(path);
    setSaved(document, file);
    this.#events.emit("documents");
  }

  async closeTab(key: string): Promise<boolean> {
    const path = toPosixPath(key, platform);
    const document =
      this.documents.byLabel(key) ?? (path.ok ? await this.#find(path.value) : undefined);
    return this.#closeUnless(isDirty, document);
  }

  async closeDocument(
    path: PosixPath,
    { discard }: { readonly discard: boolean },
  ): Promise<boolean> {
    return this.#closeUnless((document) => !discard && isDirty(document), await this.#find(path));
  }

  /** Call after a change of a file, or of a folder with everything in it. */
  async reload(path: PosixPath): Promise<void> {
    const affected = this.documents.all.filter((one) => isInside(path, one.path, platform));
    await Promise.all(affected.map((document) => this.#reload(document)));
  }

  close(): void {
    this.#closing.abort();
  }

  async #reload(document: DocumentState): Promise<void> {
    let look = ++this.#lastLook;
    let file = await this.#look(document);
    if (file.kind === "missing" || (file.kind === "refused" && file.rule === "elsewhere")) {
      const { signal } = this.#closing;
      await delay(REPLACE_MS, undefined, { signal }).catch(() => undefined);
      look = ++this.#lastLook;
      file = await this.#look(document);
    }
    if (this.#closing.signal.aborted || this.documents.get(document.path) !== document) return;
    if (document.look > look) return;
    document.look = look;
    switch (file.kind) {
      case "text":
        return this.#reloaded(document, file);
      case "missing":
        return isDirty(document) ? undefined : this.#remove(document);
      case "refused":
        // Its old text is no longer in any file.
        return isDirty(document) ? this.#setStale(document, true) : this.#remove(document);
    }
  }

  /** Reads the file again. */
  async #look({ path }: DocumentState): Promise<TextFile> {
    try {
      const { real, file } = await this.#paths.readInside(path);
      return isSamePath(real, path) ? file : ELSEWHERE;
    } catch (error) {
      if (error instanceof ToolFailure) return ELSEWHERE;
      throw error;
    }
  }

  #reloaded(document: DocumentState, file: TextFile & { kind: "text" }): void {
    const { accepted, text } = document;
    const isAccepted = accepted?.over === text && accepted.text === file.text;
    if (isDirty(document) && text !== file.text && !isAccepted) {
      this.#setStale(document, document.savedText !== file.text);
      return;
    }
    const wasDirty = isDirty(document);
    setSaved(document, file);
    if (!this.#change(document, file.text) && wasDirty) this.#events.emit("documents");
  }

  #setStale(document: DocumentState, isStale: boolean): void {
    document.isStale = isStale;
    if (isStale) this.#onStale(document.path);
  }

  /** Returns whether the text has changed. */
  #change(document: DocumentState, text: string): boolean {
    const before = document.text;
    if (!setText(document, text)) return false;
    const isSelected = this.selection.isIn(document);
    this.#events.emit("documents");
    if (isSelected && this.selection.follow(before)) this.#events.emit("selection");
    this.#onText(document.path);
    return true;
  }

  #bringToFront(document: DocumentState): void {
    const moved = this.documents.focus(document);
    this.#events.emit("documents");
    if (!moved && this.selection.isIn(document)) return;
    if (!this.selection.isIn(document)) this.selection.setCursor(document);
    this.#events.emit("selection");
  }

  /** The open document, or a new one without a tab. */
  async #load(path: PosixPath): Promise<DocumentState> {
    const located = await this.#paths.demandInside(path);
    const open = this.documents.get(located.real);
    if (open !== undefined) return open;
    const { real, file } = await this.#paths.readInside(path);
    const { folder } = this.#paths;
    return this.documents.get(real) ?? createDocument(folder, real, this.#demandText(path, file));
  }

  /** An open document, and the current text of its file. */
  async #onDisk(path: PosixPath): Promise<{
    readonly document: DocumentState;
    readonly file: TextFile & { kind: "text" };
  }> {
    const found = await this.#paths.readInside(path);
    const file = this.#demandText(path, found.file);
    const document = this.#add(createDocument(this.#paths.folder, found.real, file));
    document.look = ++this.#lastLook;
    return { document, file };
  }

  #add(loaded: DocumentState): DocumentState {
    const isNew = this.documents.get(loaded.path) === undefined;
    const document = this.documents.add(loaded);
    if (isNew) {
      this.#events.emit("documents");
      this.#onText(document.path);
    }
    return document;
  }

  #demandText(path: PosixPath, file: TextFile): TextFile & { kind: "text" } {
    if (file.kind === "text") return file;
    throw new ToolFailure(
      `${describePath(path)} ${file.kind === "missing" ? "does not exist" : file.why}`,
    );
  }

  async #find(path: PosixPath): Promise<DocumentState | undefined> {
    const { real, inside } = await this.#paths.locate(path);
    return inside ? this.documents.get(real) : undefined;
  }

  #closeUnless(
    isKept: (document: DocumentState) => boolean,
    document: DocumentState | undefined,
  ): boolean {
    if (document === undefined || isKept(document)) return false;
    this.#remove(document);
    // Findings in unsaved text may not apply to the file.
    if (isDirty(document)) this.#onText(document.path);
    return true;
  }

  #remove(document: DocumentState): void {
    this.documents.remove(document);
    const wasSelected = this.selection.isIn(document);
    if (wasSelected) this.selection.clear();
    this.#events.emit("documents");
    if (wasSelected) this.#events.emit("selection");
  }
}
