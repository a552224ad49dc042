import type { SkippedLine } from "@idewire/devtools/internal";
import type { EventLog } from "@idewire/devtools/trace";

/** The most skipped lines that are kept. */
const MAX_KEPT = 100;

/** The lines of a trace that are not events. */
export class SkippedLines {
  /** The first of them. */
  readonly kept: SkippedLine[] = [];
  count = 0;

  add(line: SkippedLine): void {
    this.count += 1;
    if (this.kept.length < MAX_KEPT) this.kept.push(line);
  }
}

/** By the log of the other lines. */
export const skippedLines: WeakMap<EventLog, SkippedLines> = new WeakMap();
