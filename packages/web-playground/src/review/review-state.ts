import { undoDepth } from "@codemirror/commands";
import type { EditorState } from "@codemirror/state";
import { pendingHunks } from "@idewire/codemirror/internal";
import { countLineEnds } from "@idewire/core/internal";

/** The undecided part of a review. */
export interface ReviewState {
  readonly hunks: number;
  /** How many of them were changed on both sides. */
  readonly conflicts: number;
  /** Lines of the undecided hunks. */
  readonly added: number;
  readonly removed: number;
  /** Whether a decision or an edit can be undone. */
  readonly canUndo: boolean;
}

/** The state of a review in its editor. */
export function stateOf(state: EditorState): ReviewState {
  const hunks = pendingHunks(state);
  return {
    hunks: hunks.length,
    conflicts: hunks.filter(({ isConflict }) => isConflict).length,
    added: hunks.reduce((sum, { text }) => sum + countLines(text.b), 0),
    removed: hunks.reduce((sum, { text }) => sum + countLines(text.a), 0),
    canUndo: undoDepth(state) > 0,
  };
}

/** Runs at each key press, so it must not split a text that may have thousands of lines. */
function countLines(text: string): number {
  return countLineEnds(text) + (text === "" || text.endsWith("\n") ? 0 : 1);
}
