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
  PendingDiffEvents,
  ShownDiff,
} from "@idewire/core/internal";
import type { DiagnosticSource } from "./diagnostic-source.ts";
import type { DiagnosticsProvider } from "./diagnostics-provider.ts";

export interface FolderHostOptions {
  /** What the editor is called; `idewire` when left out. */
  readonly name?: string;
  /** The built-in checks; JSON, YAML and Markdown links when left out. */
  readonly diagnosticSources?: readonly DiagnosticSource[];
  /** Diagnostics providers, in addition to these; the host opens and closes them. */
  readonly diagnosticsProviders?: readonly DiagnosticsProvider[];
  /** Called with what the person should know, such as that folders cannot be watched. */
  readonly warn?: (words: string) => void;
}

/** A pending diff, with what a frontend needs to show it. */
export interface PendingDiff extends ShownDiff {
  /** The current text; undefined when there is none, or it is `unreadable`. */
  readonly current: string | undefined;
  /** What the lines do not show, in words for the person: that the file has changed, or is not UTF-8. */
  readonly notes?: readonly string[];
  /** Why a file cannot be shown, such as a binary one: for the person only, never for agents. */
  readonly unreadable?: string;
}

/** What happens to the diffs of a folder. */
export type DiffEvents = PendingDiffEvents<PendingDiff>;

/**
 * A plain folder as an editor: open documents, a selection that is set by command, diagnostics of
 * its own, and diffs that a person decides. Any number of frontends (a terminal, a script, a page) may
 * drive it; the first answer to a diff wins.
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
  /** Closes a document; false when it is not open, or has unsaved text that is not discarded. */
  closeDocument(path: PosixPath, options: { readonly discard: boolean }): Promise<boolean>;
  save(path: PosixPath): Promise<SaveOutcome>;
  /**
   * Opens the document and selects a range of it. Its text is taken from the document;
   * with a `text` given, the range is not compared with the document.
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
   * @param over the text that was typed over, where that is known: when the file has another one by
   * now, the document is stale, and is not saved before the person has decided
   * @throws ToolFailure as `open`
   */
  edit(path: PosixPath, text: string, over?: string): Promise<void>;
  /**
   * Takes what is on disk in place of unsaved text.
   * @throws ToolFailure as `open`
   */
  revert(path: PosixPath): Promise<void>;
  /**
   * Lets unsaved text win over what is on disk by now: the next save replaces that.
   * @throws ToolFailure as `open`
   */
  keepUnsaved(path: PosixPath): Promise<void>;
  /** Tells of files that others have changed while there is unsaved text of them. */
  onStale(listener: (path: PosixPath) => void): Unsubscribe;
  /** All current diagnostics from outside, in addition to those that the host finds itself. */
  setDiagnostics(files: readonly FileDiagnostics[]): void;
  readonly pendingDiffs: readonly PendingDiff[];
  /**
   * Answers a proposal; false when it does not wait any more.
   * @param by where, for the other frontends; `script` when left out
   */
  answerDiff(id: DiffId, answer: DiffAnswer, by?: DiffAnsweredIn): boolean;
  onDiff<E extends keyof DiffEvents>(event: E, listener: DiffEvents[E]): Unsubscribe;
}
