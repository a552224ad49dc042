import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import type { Draft } from "./draft.ts";
import { type DeletedLinesOptions, showDeletedLines } from "./review/deleted-lines.ts";
import { diffTheme } from "./review/diff-theme.ts";
import { type FoldOptions, foldUnchanged } from "./review/folds.ts";
import { type Hunk, hunksOf, trackHunks } from "./review/hunks.ts";
import { lineDirections } from "./review/line-directions.ts";
import { markHunks } from "./review/marks.ts";

/** How a review in one editor looks. */
export interface UnifiedReviewOptions extends Partial<DeletedLinesOptions> {
  readonly draft: Draft;
  /** The hunks of the draft; found here if left out. */
  readonly hunks?: readonly Hunk[] | undefined;
  /** Folds unchanged lines. */
  readonly fold?: FoldOptions | undefined;
}

/** Marks the changes of a draft in the editor of its result, which has `editDraft(draft)`. */
export function unifiedReview(options: UnifiedReviewOptions): Extension {
  const { draft, hunks = hunksOf(draft), fold, inline = false } = options;
  const { renderControls, ondecide = () => undefined } = options;
  return [
    trackHunks(hunks),
    markHunks({ side: "B", inline, conflicts: false }),
    showDeletedLines({ inline, renderControls, ondecide }),
    fold === undefined ? [] : foldUnchanged({ ...fold, side: "B" }),
    EditorView.editorAttributes.of({ class: "cm-merge-b" }),
    lineDirections,
    diffTheme,
  ];
}
