import type { SkippedLine } from "@idewire/devtools/internal";
import type { EventLog } from "@idewire/devtools/trace";

/** How many are kept of a file that may be anything. */
const MAX_KEPT = 100;

/** The lines of a trace that are no events, and so are not shown. */
export class SkippedLines {
  /** The first of them. */
  readonly kept: SkippedLine[] = [];
  count = 0;

  add(line: SkippedLine): void {
    this.count += 1;
    if (this.kept.length < MAX_KEPT) this.kept.push(line);
  }
}

/** By the log that was read from the others. */
export const skippedLines: WeakMap<EventLog, SkippedLines> = new WeakMap();
