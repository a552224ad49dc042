import {
  type ChangeComment,
  type CompiledInput,
  compileInput,
  exactly,
  type SentComments,
} from "@idewire/core/internal";
import * as v from "valibot";
import type { ChangeDecision, DecidedChange, UndoneTurn } from "../folder-host/folder-changes.ts";
import type { ShownEdit } from "../serve/terminal/review/edit-prompt.ts";

// The requests of `idewire diffs` and `idewire review` to the editor that serves the folder.

/** The method that lists the pending diffs. */
export const LIST_DIFFS = "editor/listDiffs";
/** The method that shows a diff, which may then be answered on the same connection. */
export const SHOW_DIFF = "editor/showDiff";
/** The notification that a shown diff is compared with another text, as its file has changed. */
export const DIFF_CHANGED = "editor/diffChanged";
/** The notification that a shown diff is answered or closed. */
export const DIFF_CLOSED = "editor/diffClosed";

/** The method that shows an edit that came without a review, which may then be decided on the same connection. */
export const SHOW_EDIT = "editor/showEdit";
/** The method that sends comments on a shown diff or edit to its agent. */
export const COMMENT_CHANGE = "editor/commentChange";
/** The methods that decide about such an edit, and about all of its turn. */
export const DECIDE_EDIT = "editor/decideEdit";
export const UNDO_TURN = "editor/undoTurn";

/** A listed edit that came without a review. */
export interface ListedEdit {
  readonly edit: string;
  readonly path: string;
  readonly agent: string;
  readonly added: number;
  readonly removed: number;
}

/** The diffs and edits of a folder. */
export interface ListedDiffs {
  readonly diffs: readonly ListedDiff[];
  readonly edits: readonly ListedEdit[];
}

/** Comments on lines of a shown diff or edit. */
export interface CommentedChange {
  readonly id: string;
  readonly comments: readonly ChangeComment[];
}

/** The requested edit, and the requesting process. */
export interface WantedEdit {
  readonly id: string;
  readonly pid: number;
}

/** A pending diff. */
export interface ListedDiff {
  readonly number: number;
  /** Relative to the folder; native and absolute outside it. */
  readonly path: string;
  readonly agent: string;
}

/** The requested diff, and the requesting process. */
export interface WantedDiff {
  readonly number: number;
  readonly pid: number;
}

/** A diff for its reviewer, with the editor's paths. */
export interface ShownDiffText {
  readonly id: string;
  /** The folder that is served. */
  readonly folder: string;
  readonly path: string;
  readonly oldPath: string;
  readonly title: string;
  readonly outsideWorkspace: boolean;
  readonly agent: string;
  readonly proposed: string;
  readonly current?: string;
  readonly base?: string;
  readonly notes?: readonly string[];
  readonly unreadable?: string;
}

/** How a diff ended. */
export interface ClosedDiffFacts {
  readonly id: string;
  readonly outcome: "accepted" | "rejected" | "closed" | "cancelled";
  readonly edited: boolean;
  readonly by: string;
}

const count = v.pipe(v.number(), v.integer(), v.minValue(1));
const listed = v.object({ number: count, path: v.string(), agent: v.string() });

export const wantedDiff: CompiledInput<WantedDiff> = compileInput(
  "diff",
  exactly<WantedDiff>()(v.object({ number: count, pid: count })),
);

const listedEdit = exactly<ListedEdit>()(
  v.object({
    ...{ edit: v.string(), path: v.string(), agent: v.string() },
    ...{ added: v.number(), removed: v.number() },
  }),
);

export const listedDiffs: CompiledInput<ListedDiffs> = compileInput(
  "diffs",
  exactly<ListedDiffs>()(v.object({ diffs: v.array(listed), edits: v.array(listedEdit) })),
);

export const wantedEdit: CompiledInput<WantedEdit> = compileInput(
  "edit",
  exactly<WantedEdit>()(v.object({ id: v.string(), pid: count })),
);

export const shownEdit: CompiledInput<ShownEdit> = compileInput(
  "edit",
  exactly<ShownEdit>()(
    v.object({
      ...{ id: v.string(), path: v.string(), agent: v.string(), isCertain: v.boolean() },
      ...{ version: v.number(), turn: v.array(v.string()) },
      undecided: v.object({ before: v.string(), written: v.string() }),
    }),
  ),
);

export const editDecision: CompiledInput<ChangeDecision> = compileInput(
  "decision",
  exactly<ChangeDecision>()(
    v.object({
      ...{ id: v.string(), version: v.number(), decision: v.picklist(["keep", "undo"]) },
      hunk: v.optional(v.number()),
    }),
  ),
);

export const decidedEdit: CompiledInput<DecidedChange> = compileInput(
  "decided edit",
  exactly<DecidedChange>()(
    v.object({ version: v.number(), refused: v.number(), unsaved: v.boolean() }),
  ),
);

export const undoneTurn: CompiledInput<UndoneTurn> = compileInput(
  "undone turn",
  exactly<UndoneTurn>()(v.object({ undone: v.array(v.string()), problems: v.array(v.string()) })),
);

export const commentedChange: CompiledInput<CommentedChange> = compileInput(
  "comments",
  exactly<CommentedChange>()(
    v.object({
      id: v.string(),
      comments: v.array(v.object({ line: count, endLine: count, text: v.string() })),
    }),
  ),
);

export const sentComments: CompiledInput<SentComments> = compileInput(
  "sent comments",
  exactly<SentComments>()(
    v.object({
      message: v.string(),
      file: v.exactOptional(v.string()),
      problem: v.exactOptional(v.string()),
    }),
  ),
);

export const shownDiff: CompiledInput<ShownDiffText> = compileInput(
  "diff",
  exactly<ShownDiffText>()(
    v.object({
      id: v.string(),
      folder: v.string(),
      path: v.string(),
      oldPath: v.string(),
      title: v.string(),
      outsideWorkspace: v.boolean(),
      agent: v.string(),
      proposed: v.string(),
      current: v.exactOptional(v.string()),
      base: v.exactOptional(v.string()),
      notes: v.exactOptional(v.array(v.string())),
      unreadable: v.exactOptional(v.string()),
    }),
  ),
);

export const closedDiff: CompiledInput<ClosedDiffFacts> = compileInput(
  "diff",
  exactly<ClosedDiffFacts>()(
    v.object({
      id: v.string(),
      outcome: v.picklist(["accepted", "rejected", "closed", "cancelled"]),
      edited: v.boolean(),
      by: v.string(),
    }),
  ),
);
