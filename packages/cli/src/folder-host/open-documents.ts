import { type OpenDocument, type PosixPath, toFileUri } from "@idewire/core";
import { relativeTo } from "@idewire/core/internal";
import { platform } from "@idewire/node-server/internal";
import { keyOf } from "@idewire/node-server/internal/files";
import { languageIdOf } from "./language-id.ts";

/** The state of an open document. */
export interface DocumentState {
  /** A real path in the folder. */
  readonly path: PosixPath;
  readonly label: string;
  /** The displayed text. */
  text: string;
  /** The text on disk, as far as known. */
  savedText: string;
  bom: boolean;
  /** Whether the file has changed under unsaved text, and the person has not decided which of them to keep. */
  isStale: boolean;
  /** The unsaved text that an accepted diff was compared with, and the accepted text, which its agent writes. */
  accepted?: { readonly over: string; readonly text: string };
  /** Increases with each change of the text. */
  version: number;
  lastFocusedMs: number;
  /** The number of the check with this result: older ones are out of date. */
  look: number;
}

/** Creates a document without a tab. */
export function createDocument(
  folder: PosixPath,
  path: PosixPath,
  { text, bom }: { readonly text: string; readonly bom: boolean },
): DocumentState {
  const label = relativeTo(folder, path);
  const state = { isStale: false, version: 1, lastFocusedMs: 0, look: 0 };
  return { path, label, text, savedText: text, bom, ...state };
}

/** The tabs of one folder. They are shown one at a time: only the active one is visible. */
export class OpenDocuments {
  readonly #documents = new Map<string, DocumentState>();
  #lastFocusMs = 0;

  get all(): readonly DocumentState[] {
    return [...this.#documents.values()];
  }

  /** The paths of those that are stale. */
  get stale(): readonly PosixPath[] {
    return this.all.filter((each) => each.isStale && isDirty(each)).map(({ path }) => path);
  }

  /** By its real path. */
  get(path: PosixPath): DocumentState | undefined {
    return this.#documents.get(keyOf(path));
  }

  get active(): DocumentState | undefined {
    let latest: DocumentState | undefined;
    for (const document of this.#documents.values()) {
      if (latest === undefined || document.lastFocusedMs > latest.lastFocusedMs) latest = document;
    }
    return latest;
  }

  /** Adds a document, or returns the existing one. */
  add(document: DocumentState): DocumentState {
    const open = this.get(document.path);
    if (open !== undefined) return open;
    this.#documents.set(keyOf(document.path), document);
    return document;
  }

  /** Returns whether it was in the background. */
  focus(document: DocumentState): boolean {
    const moved = this.active !== document || document.lastFocusedMs === 0;
    this.#lastFocusMs = Math.max(Date.now(), this.#lastFocusMs + 1);
    document.lastFocusedMs = this.#lastFocusMs;
    return moved;
  }

  remove(document: DocumentState): void {
    this.#documents.delete(keyOf(document.path));
  }

  byLabel(label: string): DocumentState | undefined {
    const composed = label.normalize("NFC");
    return this.all.find((document) => document.label.normalize("NFC") === composed);
  }

  list(): readonly OpenDocument[] {
    const { active } = this;
    return this.all.map((document) => ({
      path: document.path,
      uri: toFileUri(document.path, platform),
      languageId: languageIdOf(document.path),
      dirty: isDirty(document),
      untitled: false,
      active: document === active,
      visible: document === active,
      lastFocusedMs: document.lastFocusedMs,
      label: document.label,
    }));
  }
}

export function isDirty(document: DocumentState): boolean {
  return document.text !== document.savedText;
}

/** Sets the text on disk: unsaved text may replace it from now on. */
export function setSaved(
  document: DocumentState,
  { text, bom }: Pick<DocumentState, "text" | "bom">,
): void {
  document.savedText = text;
  document.bom = bom;
  document.isStale = false;
}

/** Returns whether anything has changed. */
export function setText(document: DocumentState, text: string): boolean {
  if (document.text === text) return false;
  document.text = text;
  document.version += 1;
  return true;
}
