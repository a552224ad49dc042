import type { HunkDecision } from "@idewire/codemirror/internal";
import type { DiffPane } from "./diff-pane.ts";

/** What a review's tab shows: a pending review, or one of the past. */
export interface Panel {
  /** Of the tab. */
  readonly title: string;
  /** Undefined for a past review whose texts were not kept. */
  readonly pane: DiffPane | undefined;
  update(): void;
  /** Its DOM is removed by the view. */
  destroy(): void;
  /** Decides the change at the cursor. */
  decide(decision: HunkDecision): void;
  /** Decides the whole. */
  decideFile(decision: HunkDecision): void;
}
