import type { Unsubscribe } from "../emitter.ts";
import type { PosixPath } from "../paths/posix-path.ts";
import type { Range } from "../text/position.ts";

export interface WorkspaceFolder {
  /** The real path, with no symbolic link in it: agents compare it with their own. */
  readonly path: PosixPath;
  readonly name: string;
}

export interface OpenDocument {
  readonly path: PosixPath;
  readonly uri: string;
  /** As in LSP: `markdown`, `typescript`. */
  readonly languageId: string;
  /** There is unsaved text. */
  readonly dirty: boolean;
  /** It was never saved: `path` names no file. */
  readonly untitled: boolean;
  /** The one with the focus; at most one. */
  readonly active: boolean;
  readonly visible: boolean;
  /** When it last had the focus, in milliseconds since 1970. */
  readonly lastFocusedMs: number;
  /** What its tab says. */
  readonly label: string;
}

/** One selected range and its text, which is empty for a mere cursor. */
export interface SelectionRange extends Range {
  readonly text: string;
}

/** What is selected in one document: at least one range. */
export interface Selection {
  readonly path: PosixPath;
  readonly ranges: readonly SelectionRange[];
  /** The index of the main one in `ranges`. */
  readonly primary: number;
}

/**
 * What an agent may know of the selection, after the share policy. Without `ranges` only the path
 * may be told.
 */
export interface SelectionSnapshot {
  readonly path: PosixPath;
  readonly ranges?: readonly SelectionRange[];
  readonly primary: number;
}

/** The person sends a file, or lines of it, to the agent. */
export interface Mention {
  readonly path: PosixPath;
  /** First and last line, 0-based, both included; the whole file when left out. */
  readonly lines?: { readonly start: number; readonly end: number };
  /** The one session to send it to; all when left out. */
  readonly session?: SessionId;
}

export interface RevealOptions {
  /** What to show and select; the place where the person was when left out. */
  readonly range?: Range;
  /** A tab that the next file may replace. */
  readonly preview?: boolean;
  /** The focus stays where it is. */
  readonly preserveFocus?: boolean;
}

/** Names one connected agent: unique in this process, never used again. */
export type SessionId = string;

/** Names one proposed change: unique in this process, never used again. */
export type DiffId = string;

/** An agent proposes a file's new text, and waits for the person. */
export interface DiffRequest {
  /** Ours: two agents may propose changes of one file at once, so never key by path. */
  readonly id: DiffId;
  readonly session: SessionId;
  /** The file that the agent will write when this is accepted; it may not exist yet. */
  readonly path: PosixPath;
  /** The file to compare with; the same as `path` but for a rename. */
  readonly oldPath: PosixPath;
  readonly proposed: string;
  /** What the agent calls it. */
  readonly title: string;
  /** `path` is in no workspace folder: say so to the person. */
  readonly outsideWorkspace: boolean;
}

/** What became of a proposal. The agent writes the file, never the editor. */
export type DiffOutcome =
  /** `text` is what the person saw and accepted, to the letter; `edited` when it is not `proposed`. */
  | { readonly kind: "accepted"; readonly text: string; readonly edited: boolean }
  | { readonly kind: "rejected" }
  /** The person closed it without an answer. */
  | { readonly kind: "closed" }
  /** It was answered elsewhere, or the agent or the editor has gone: nobody has decided here. */
  | { readonly kind: "cancelled" };

/** Why a diff is closed from outside. */
export type CloseDiffReason = "answered-elsewhere" | "session-gone" | "asked";

/** What {@link EditorHost.closeDiff} found. */
export interface ClosedDiff {
  readonly alreadyClosed: boolean;
  /** The text as the person had edited it so far, where the editor knows. */
  readonly text?: string;
}

export type DiagnosticSeverity = "error" | "warning" | "information" | "hint";

export interface Diagnostic {
  readonly range: Range;
  readonly severity: DiagnosticSeverity;
  readonly message: string;
  /** Who says so: a linter's or compiler's name. */
  readonly source?: string;
  readonly code?: string | number;
}

/** All that is known to be wrong with one file; an empty list means that nothing is. */
export interface FileDiagnostics {
  readonly path: PosixPath;
  readonly diagnostics: readonly Diagnostic[];
}

export interface SaveOutcome {
  readonly saved: boolean;
  /** Why not, when it was not. */
  readonly message?: string;
}

/** What a host tells of; listeners then read the state from the host. */
export interface HostEvents {
  /** The selection, or the active document, changed. */
  selection(): void;
  /** Documents were opened, closed, changed, saved or focused. */
  documents(): void;
  /** The diagnostics of these files changed. */
  diagnostics(paths: readonly PosixPath[]): void;
  /** The folders or the trust changed. */
  workspace(): void;
  /** The person sends something to an agent. */
  mention(mention: Mention): void;
}

/**
 * An editor that shares itself. It knows no wire names and nothing of agents; positions are 0-based
 * and counted in UTF-16 units. An optional member that is absent is a tool that is not offered.
 *
 * The members without a promise answer from what the host has at hand. Paths that come from an
 * agent are absolute and normalised when they get here; that they stay inside a workspace folder
 * once symbolic links are followed is the host's to check, and it throws a ToolFailure when not. It
 * checks what it has opened, each time: a path may lead elsewhere since it was looked at.
 */
export interface EditorHost {
  readonly info: { readonly name: string; readonly version: string };
  workspace(): { readonly folders: readonly WorkspaceFolder[]; readonly trusted: boolean };
  documents(): readonly OpenDocument[];
  /** `current`: in the active editor; `latest`: also after the focus went elsewhere. */
  selection(which: "current" | "latest"): Selection | undefined;
  /**
   * The text of a file, unsaved text first.
   * @throws ToolFailure when it may not or cannot be read as text
   */
  read(path: PosixPath): Promise<string>;
  reveal?(path: PosixPath, options: RevealOptions): Promise<void>;
  select?(path: PosixPath, range: Range): Promise<void>;
  /**
   * Shows a proposal and waits, for hours if need be, for the person.
   * @param signal aborted when the answer is no longer wanted; then the outcome is dropped
   */
  openDiff?(request: DiffRequest, signal: AbortSignal): Promise<DiffOutcome>;
  /** Takes a proposal from the screen. Closing twice, or what never was, does nothing. */
  closeDiff?(id: DiffId, why: CloseDiffReason): Promise<ClosedDiff>;
  /**
   * Tells one state of a file on the disk from another, by its time and size, say; undefined when
   * there is none. It is how it is noticed that an agent has written a file.
   * @throws ToolFailure when it is outside the workspace
   */
  fileVersion?(path: PosixPath): Promise<string | undefined>;
  /** What is wrong with one file, or with all that the host knows of. */
  diagnostics?(path?: PosixPath): Promise<readonly FileDiagnostics[]>;
  save?(path: PosixPath): Promise<SaveOutcome>;
  format?(path: PosixPath): Promise<void>;
  /** Closes a tab by its label or path; false when there is none, or it has unsaved text. */
  closeTab?(key: string): Promise<boolean>;
  on<E extends keyof HostEvents>(event: E, listener: HostEvents[E]): Unsubscribe;
}
