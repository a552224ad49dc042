import type { PosixPath } from "@idewire/core";
import type { ChangeComment } from "@idewire/core/internal";
import type { App, Plugin } from "obsidian";
import type { VaultPaths } from "../vault-paths.ts";
import type { CurrentText } from "./current-text.ts";
import type { ReviewLayout } from "./editor/diff-editor.ts";
import type { ReviewHistory } from "./history/history.ts";
import type { RecordTexts } from "./history/record.ts";
import type { ReviewController } from "./review-controller.ts";
import type { CommentedChange } from "./send-note-comments.ts";
import type { UndoneEdit } from "./unreviewed/undo-edit.ts";

/** Registers undos that Obsidian calls when the plugin is unloaded. */
export type Registrar = Pick<
  Plugin,
  | "registerView"
  | "addCommand"
  | "register"
  | "registerEvent"
  | "registerDomEvent"
  | "registerEditorExtension"
>;

/** The settings of reviews. */
export interface ReviewSettings {
  readonly layout: ReviewLayout;
  /** 0 keeps no history. */
  readonly historyDays: number;
  setLayout(layout: ReviewLayout): void;
}

/** Token of the one tab that shows pending reviews: no two tabs may edit the same proposal. */
export interface ViewHolder {
  holder: symbol | undefined;
}

/** The dependencies of the views of reviews. */
export interface ReviewsContext {
  readonly app: App;
  readonly paths: VaultPaths;
  readonly settings: ReviewSettings;
  readonly controller: ReviewController;
  readonly history: ReviewHistory;
  readonly viewHolder: ViewHolder;
  /** Whether unchanged lines are hidden, for all reviews until Obsidian closes. */
  readonly isFolded: () => boolean;
  readonly setFolded: (isFolded: boolean) => void;
  /** Whether reviews show a preview beside the text, until Obsidian closes. */
  readonly isPreviewed: () => boolean;
  readonly setPreviewed: (isPreviewed: boolean) => void;
  readonly read: (path: PosixPath) => Promise<CurrentText>;
  /** Sends comments on lines of a change to its agent; resolves to whether they were stored. */
  readonly comment: (
    change: CommentedChange,
    comments: readonly ChangeComment[],
  ) => Promise<boolean>;
  readonly openHistory: () => void;
  readonly openUnreviewed: () => void;
  /** Undoes an edit that came without a review, or one of its undecided hunks. */
  readonly undoEdit: (path: PosixPath, texts: RecordTexts, hunk?: number) => Promise<UndoneEdit>;
  /** Shows the tab of the pending review. */
  readonly showCurrent: () => void;
  /** Shows that tab, or the next review in it. */
  readonly showNext: () => void;
}
