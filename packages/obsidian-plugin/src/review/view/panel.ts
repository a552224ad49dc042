import type { HunkDecision } from "@idewire/codemirror/internal";
import type { DiffPane } from "./diff-pane.ts";

/** The content of a review's tab: a pending or a past review. */
export interface Panel {
  /** Of the tab. */
  readonly title: string;
  /** Undefined for a past review whose texts were not kept. */
  readonly pane: DiffPane | undefined;
  update(): void;
  /** Its DOM is removed by the view. */
  destroy(): void;
  /** Decides the hunk at the cursor. */
  decide(decision: HunkDecision): void;
  /** Decides the whole. */
  decideFile(decision: HunkDecision): void;
}
