import type { HunkDecision } from "@idewire/codemirror/internal";
import { keepHunk, type UndecidedText } from "@idewire/core/internal/hunks";
import { Notice } from "obsidian";
import { texts } from "../texts/index.ts";
import type { ReviewsContext } from "./context.ts";
import {
  type PastReview,
  type RecordTexts,
  type ReviewRecord,
  undecidedOf,
} from "./history/record.ts";

/** An edit that came without a review, and its texts. */
export interface DecidableEdit {
  readonly record: ReviewRecord;
  readonly kept: RecordTexts;
}

/** The person's decisions about edits that came without a review; each is explained by a notice. */
export class EditDecisions {
  readonly #context: ReviewsContext;
  readonly #ondecided: (edit: DecidableEdit) => void;

  /** @param ondecided called with the new texts of an edit, once they are in the history */
  constructor(context: ReviewsContext, ondecided: (edit: DecidableEdit) => void) {
    this.#context = context;
    this.#ondecided = ondecided;
  }

  /** Undoes every hunk whose lines have not changed since. */
  async undo(edit: DecidableEdit): Promise<void> {
    const { name } = edit.record;
    const refused = await this.#undo(edit);
    if (refused === 0) new Notice(texts.edits.undone(name));
    else if (refused !== undefined) new Notice(texts.edits.partly({ name, refused }));
  }

  async decideHunk(edit: DecidableEdit, decision: HunkDecision, hunk: number): Promise<void> {
    if (decision === "reject") {
      await this.#undo(edit, hunk);
      return;
    }
    const undecided = undecidedOf(edit.kept);
    this.#decided(edit, { ...undecided, before: keepHunk(undecided, hunk) });
  }

  /** @param turn the newest edit first: earlier edits of a note are below it */
  async undoTurn(turn: readonly PastReview[]): Promise<void> {
    const done = new Set<string>();
    for (const { record, texts: kept } of turn) {
      if (kept !== undefined && (await this.#undo({ record, kept })) !== undefined)
        done.add(record.path);
    }
    new Notice(texts.edits.turnUndone(done.size));
  }

  /** Returns the number of hunks that were not undone; undefined, with a notice, if nothing was undone. */
  async #undo(edit: DecidableEdit, hunk?: number): Promise<number | undefined> {
    const { path, name } = edit.record;
    const undecided = undecidedOf(edit.kept);
    try {
      const { written, refused } = await this.#context.undoEdit(path, edit.kept, hunk);
      if (written === undecided.written) {
        new Notice(hunk === undefined ? texts.edits.changed(name) : texts.edits.hunkChanged(name));
        return undefined;
      }
      this.#decided(edit, { ...undecided, written });
      return refused;
    } catch (error) {
      new Notice(texts.edits.failed({ name, reason: (error as Error).message }));
      return undefined;
    }
  }

  #decided({ record, kept }: DecidableEdit, undecided: UndecidedText): void {
    const decided = { ...kept, undecided };
    this.#context.history.decided(record.id, decided);
    this.#ondecided({ record, kept: decided });
  }
}
