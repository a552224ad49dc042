import type { Unsubscribe } from "../emitter.ts";
import type { PosixPath } from "../paths/posix-path.ts";
import type { Range } from "../text/position.ts";

export interface WorkspaceFolder {
  /** The real path, without symbolic links: agents compare it with their own. */
  readonly path: PosixPath;
  readonly name: string;
}

export interface OpenDocument {
  readonly path: PosixPath;
  readonly uri: string;
  /** As in LSP: `markdown`, `typescript`. */
  readonly languageId: string;
  /** Whether there is unsaved text. */
  readonly dirty: boolean;
  /** Whether it was never saved; `path` then names no file. */
  readonly untitled: boolean;
  /** Whether it has the focus; at most one document has it. */
  readonly active: boolean;
  readonly visible: boolean;
  /** When it last had the focus, in milliseconds since 1970. */
  readonly lastFocusedMs: number;
  /** The label of its tab. */
  readonly label: string;
}

/** A selected range and its text, which is empty for a cursor. */
export interface SelectionRange extends Range {
  readonly text: string;
}

/** A comment that is kept beside a file and stands on lines of it. */
export interface LineComment {
  /** First and last line, 0-based and inclusive. */
  readonly lines: { readonly start: number; readonly end: number };
  /** Its id in the editor, such as `c_1730000000000`. */
  readonly id: string;
  /** The kind of comment, such as `TODO`. */
  readonly tag: string;
  readonly author: string;
  readonly text: string;
}

/** The selection in one document: at least one range. */
export interface Selection {
  /** The path of the file; for a web page that the editor shows, its address. */
  readonly path: PosixPath;
  readonly ranges: readonly SelectionRange[];
  /** The index of the primary range in `ranges`. */
  readonly primary: number;
  /** Some comments on its lines, by line; agents receive them at the share level `all`. */
  readonly comments?: readonly LineComment[];
}

/**
 * The part of the selection that the share policy allows; without `ranges`, only the
 * path.
 */
export interface SelectionSnapshot {
  readonly path: PosixPath;
  readonly ranges?: readonly SelectionRange[];
  readonly primary: number;
  readonly comments?: readonly LineComment[] | undefined;
}

/** A file, or lines of it, that the person refers an agent to. */
export interface Mention {
  readonly path: PosixPath;
  /** First and last line, 0-based and inclusive; the whole file by default. */
  readonly lines?: { readonly start: number; readonly end: number };
  /** The only session to send it to; all by default. */
  readonly session?: SessionId;
}

export interface RevealOptions {
  /** The range to show and select; by default the person's last position in the file. */
  readonly range?: Range;
  /** Whether to use a preview tab, which the next file may replace. */
  readonly preview?: boolean;
  /** Whether the focus stays where it is. */
  readonly preserveFocus?: boolean;
}

/** Identifies a connected agent: unique in this process and never reused. */
export type SessionId = string;

/** Identifies a diff: unique in this process and never reused. */
export type DiffId = string;

/** A diff that an agent proposes for the person to answer. */
export interface DiffRequest {
  /**
   * Assigned by core. Do not use the path as key: two agents may propose diffs of the same file.
   */
  readonly id: DiffId;
  readonly session: SessionId;
  /** The file that the agent writes once the diff is accepted; it may not exist yet. */
  readonly path: PosixPath;
  /** The file to compare with; differs from `path` only for a rename. */
  readonly oldPath: PosixPath;
  /** The whole proposed text. */
  readonly proposed: string;
  /** The agent's name for the diff. */
  readonly title: string;
  /** Whether `path` is in no workspace folder; the person must be warned. */
  readonly outsideWorkspace: boolean;
}

/** The outcome of a diff. The agent writes the file, never the editor. */
export type DiffOutcome =
  /** `text` is exactly what the person saw and accepted; `edited` if it differs from `proposed`. */
  | { readonly kind: "accepted"; readonly text: string; readonly edited: boolean }
  | {
      readonly kind: "rejected";
      /** The person's comments on it, for agents that accept text with a rejection. */
      readonly comments?: string;
    }
  /** The person closed it without an answer. */
  | { readonly kind: "closed" }
  /**
   * It was answered elsewhere, or the agent or the editor disconnected: no decision was made here.
   */
  | { readonly kind: "cancelled" };

/** Why a diff is closed other than by the person. */
export type CloseDiffReason = "answered-elsewhere" | "session-gone" | "asked";

/** The result of {@link EditorHost.closeDiff}. */
export interface ClosedDiff {
  readonly alreadyClosed: boolean;
  /** The text as edited by the person so far, if the editor reports it. */
  readonly text?: string;
}

export type DiagnosticSeverity = "error" | "warning" | "information" | "hint";

export interface Diagnostic {
  readonly range: Range;
  readonly severity: DiagnosticSeverity;
  readonly message: string;
  /** The name of the linter or compiler that reports it. */
  readonly source?: string;
  readonly code?: string | number;
}

/** All known diagnostics of a file; an empty list means that there are none. */
export interface FileDiagnostics {
  readonly path: PosixPath;
  readonly diagnostics: readonly Diagnostic[];
}

export interface SaveOutcome {
  readonly saved: boolean;
  /** The reason, when it was not saved. */
  readonly message?: string;
}

/** The events of a host; listeners read the new state from the host. */
export interface HostEvents {
  /** The selection or the active document has changed. */
  selection(): void;
  /** Documents were opened, closed, changed, saved or focused. */
  documents(): void;
  /** The diagnostics of these files have changed. */
  diagnostics(paths: readonly PosixPath[]): void;
  /** The folders or the trust have changed. */
  workspace(): void;
  /**
   * These files were written or deleted on disk, but not by this editor: by an agent, or by any other
   * program.
   */
  written(paths: readonly PosixPath[]): void;
  /** The person refers agents to a file. */
  mention(mention: Mention): void;
}

/**
 * An editor that shares its state. It is independent of agents and their wire names; positions are
 * 0-based and counted in UTF-16 units. Without an optional member, the tools that need it are not
 * offered.
 *
 * The synchronous members return the state that the host has at hand. Paths from agents are absolute and
 * normalised; the host checks that they remain inside a workspace folder after following symbolic links,
 * and otherwise throws a ToolFailure. It checks the file that it has opened, every time: a path may lead
 * elsewhere than at an earlier check.
 */
export interface EditorHost {
  /** The editor's name, which agents show. */
  readonly name: string;
  readonly version: string;
  workspace(): { readonly folders: readonly WorkspaceFolder[]; readonly trusted: boolean };
  documents(): readonly OpenDocument[];
  /** `current`: in the active editor; `latest`: also after the editor has lost the focus. */
  selection(which: "current" | "latest"): Selection | undefined;
  /**
   * The text of a file; the unsaved text if there is one.
   * @throws ToolFailure when the file must not or cannot be read as text
   */
  read(path: PosixPath): Promise<string>;
  reveal?(path: PosixPath, options: RevealOptions): Promise<void>;
  select?(path: PosixPath, range: Range): Promise<void>;
  /**
   * Shows a diff and waits for the person's answer, possibly for hours.
   * @param signal aborted when the answer is no longer wanted; the outcome is then dropped
   */
  openDiff?(request: DiffRequest, signal: AbortSignal): Promise<DiffOutcome>;
  /** Closes a diff; closing it again, or one that never existed, has no effect. */
  closeDiff?(id: DiffId, why: CloseDiffReason): Promise<ClosedDiff>;
  /**
   * A value that changes with the file on disk, such as its time and size; undefined when there is no
   * file. An agent is about to write it: from now on the event `written` reports that.
   * @throws ToolFailure when the file is outside the workspace
   */
  fileVersion?(path: PosixPath): Promise<string | undefined>;
  /** The diagnostics of one file, or of all files that the host has checked. */
  diagnostics?(path?: PosixPath): Promise<readonly FileDiagnostics[]>;
  save?(path: PosixPath): Promise<SaveOutcome>;
  format?(path: PosixPath): Promise<void>;
  /** Closes a tab by its label or path; false when there is none or it has unsaved text. */
  closeTab?(key: string): Promise<boolean>;
  on<E extends keyof HostEvents>(event: E, listener: HostEvents[E]): Unsubscribe;
}
