import { unifiedMergeView } from "@codemirror/merge";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { baseOfUnifiedView } from "./base-changes.ts";
import { compareOnce } from "./compare-once.ts";
import type { HunkDecision } from "./decide.ts";
import type { Draft } from "./draft.ts";

/** How a review in one editor looks. */
export interface UnifiedReviewOptions {
  readonly draft: Draft;
  /** Folds unchanged lines: `margin` of them stay beside a change, fewer than `minSize` are not folded. */
  readonly fold?: { readonly margin: number; readonly minSize: number } | undefined;
  /** Whether words that change within a line are shown in that line. */
  readonly inline?: boolean;
  /**
   * Creates the button of a decision on a hunk; the listener receives the button. Without it hunks have no
   * buttons.
   */
  readonly renderControl?:
    | ((decision: HunkDecision, onpress: (button: HTMLElement) => void) => HTMLElement)
    | undefined;
  /** Called when a button was pressed; `at` is an offset of the hunk in the result. */
  readonly ondecide: (decision: HunkDecision, at: number, view: EditorView) => void;
}

/** How the changes of a review are computed: whole lines first, then the words within them. */
export const comparison: { readonly override: typeof compareOnce } = { override: compareOnce };

/** Marks the changes of a draft in the editor of its result, which has `editDraft(draft)`. */
export function unifiedReview(options: UnifiedReviewOptions): Extension {
  const { draft, fold, inline = false, renderControl, ondecide } = options;
  const press = (decision: HunkDecision) => (button: HTMLElement) => {
    const chunk = button.closest<HTMLElement>(".cm-deletedChunk");
    const view = chunk === null ? null : EditorView.findFromDOM(chunk);
    if (chunk !== null && view !== null) ondecide(decision, view.posAtDOM(chunk), view);
  };
  return [
    baseOfUnifiedView,
    unifiedMergeView({
      original: draft.base.doc,
      allowInlineDiffs: inline,
      diffConfig: comparison,
      // The buttons of the library would copy a text without its line breaks.
      mergeControls:
        renderControl === undefined
          ? false
          : (decision: HunkDecision) => renderControl(decision, press(decision)),
      ...(fold !== undefined && { collapseUnchanged: fold }),
    }),
  ];
}
