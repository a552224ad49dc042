import type {
  EditorHost,
  FileDiagnostics,
  Mention,
  PosixPath,
  Range,
  SaveOutcome,
  Unsubscribe,
} from "@idewire/core";
import type {
  DiffAnswer,
  DiffAnsweredIn,
  DiffId,
  EditOptions,
  PendingDiffEvents,
  ShownDiff,
} from "@idewire/core/internal";
import type { DiagnosticSource } from "./diagnostic-source.ts";
import type { DiagnosticsProvider } from "./diagnostics-provider.ts";
import type { FolderChanges } from "./folder-changes.ts";

export interface FolderHostOptions {
  /** The editor's name; `idewire` when left out. */
  readonly name?: string;
  /** The built-in checks; JSON, YAML and Markdown links when left out. */
  readonly diagnosticSources?: readonly DiagnosticSource[];
  /** Diagnostics providers, in addition to these; the host opens and closes them. */
  readonly diagnosticsProviders?: readonly DiagnosticsProvider[];
  /** Called with notices for the person, such as that folders cannot be watched. */
  readonly warn?: (words: string) => void;
}

/** A pending diff, with the facts that a frontend shows. */
export interface PendingDiff extends ShownDiff {
  /** The current text; undefined when there is none, or it is `unreadable`. */
  readonly current: string | undefined;
  /** The text when this was proposed, if it has changed since. */
  readonly base?: string;
  /** Facts that the lines do not show, in words for the person: that the file has changed, or is not UTF-8. */
  readonly notes?: readonly string[];
  /** Why a file cannot be shown, such as a binary one: for the person only, never for agents. */
  readonly unreadable?: string;
}

/** The events of a folder's diffs. */
export type DiffEvents = PendingDiffEvents<PendingDiff>;

/**
 * A plain folder as an editor: open documents, a selection set by commands, built-in diagnostics, and diffs
 * answered by a person. Any number of frontends (terminal, script, page) may drive it; the first answer to a
 * diff wins.
 */
export interface FolderHost extends EditorHost {
  /** The real path of the folder. */
  readonly folder: PosixPath;
  /**
   * Opens a document, or brings it to the front.
   * @throws ToolFailure when it is outside, missing, a directory or binary
   */
  open(path: PosixPath): Promise<void>;
  close(): Promise<void>;
  /** Closes a document; false when it is not open, or has unsaved text and `discard` is not set. */
  closeDocument(path: PosixPath, options: { readonly discard: boolean }): Promise<boolean>;
  save(path: PosixPath): Promise<SaveOutcome>;
  /**
   * Opens the document and selects a range of it. The selected text is read from the document; if `text` is
   * given, the range is not checked against the document.
   * @throws ToolFailure as `open`, and when the range is outside the document's text
   */
  select(path: PosixPath, range: Range, text?: string): Promise<void>;
  clearSelection(): void;
  /**
   * Sends a file or lines of it to the agents.
   * @throws ToolFailure as `open`, and when the lines are outside the text
   */
  mention(mention: Mention): Promise<void>;
  /**
   * Gives a document text that is not saved, and opens it first.
   * @param options `over` is the text that was typed over, if known: newer unsaved text is combined with it; if the
   * file has changed since, the document is stale, and is not saved until the person has decided. With `restores`,
   * a document with unsaved text is left as it is.
   * @throws ToolFailure as `open`
   */
  edit(path: PosixPath, text: string, options?: EditOptions): Promise<void>;
  /**
   * Replaces unsaved text by the text on disk.
   * @throws ToolFailure as `open`
   */
  revert(path: PosixPath): Promise<void>;
  /**
   * Retains unsaved text although the file has changed: the next save overwrites the file.
   * @throws ToolFailure as `open`
   */
  keepUnsaved(path: PosixPath): Promise<void>;
  /** The files with unsaved text that other programs have changed, about which the person has not decided. */
  readonly stale: readonly PosixPath[];
  /** Emits such a file with each change of it. */
  onStale(listener: (path: PosixPath) => void): Unsubscribe;
  /** Sets all external diagnostics, in addition to those that the host finds itself. */
  setDiagnostics(files: readonly FileDiagnostics[]): void;
  /** The changes by agents; {@link followAgents} feeds them. */
  readonly changes: FolderChanges;
  readonly pendingDiffs: readonly PendingDiff[];
  /**
   * Answers a diff; false when it is no longer pending.
   * @param by the frontend, for the others; `script` when left out
   */
  answerDiff(id: DiffId, answer: DiffAnswer, by?: DiffAnsweredIn): boolean;
  onDiff<E extends keyof DiffEvents>(event: E, listener: DiffEvents[E]): Unsubscribe;
}
