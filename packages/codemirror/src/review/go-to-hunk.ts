import { EditorSelection } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { type Hunk, pendingHunks } from "./hunks.ts";

/** Selects the next or the previous hunk of the cursor, around the ends; false without hunks. */
export function goToHunk(view: EditorView, which: "next" | "previous"): boolean {
  const hunks = pendingHunks(view.state);
  const { head } = view.state.selection.main;
  const target =
    which === "next"
      ? (hunks.find(({ fromB }) => fromB > head) ?? hunks[0])
      : (hunks.findLast(({ endB }) => endB < head) ?? hunks.at(-1));
  if (target === undefined) return false;
  showHunk(view, target);
  return true;
}

/** Puts the cursor on a hunk, and scrolls it into view. */
export function showHunk(view: EditorView, { fromB, endB }: Hunk): void {
  view.dispatch({
    selection: { anchor: fromB },
    effects: EditorView.scrollIntoView(EditorSelection.range(endB, fromB), {
      ...{ y: "nearest", yMargin: 80 },
    }),
    userEvent: "select",
  });
}
