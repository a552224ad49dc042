import type { ChunkDecision } from "@idewire/codemirror/review";

/** What a review's tab shows: a review that waits, or one of the past. */
export interface Panel {
  /** Of the tab. */
  readonly title: string;
  update(): void;
  focus(): void;
  /** The person chose another layout. */
  setLayout(): void;
  setFolded(): void;
  /** The tab was moved to another window. */
  setRoot(root: Document): void;
  goTo(which: "next" | "previous"): void;
  /** Decides the change at the cursor. */
  decide(decision: ChunkDecision): void;
  /** Decides the whole. */
  decideFile(decision: ChunkDecision): void;
  destroy(): void;
}
