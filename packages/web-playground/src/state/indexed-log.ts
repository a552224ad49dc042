import { FrameIndex } from "@idewire/devtools/internal";
import type { EventLog } from "@idewire/devtools/trace";

/** A log, and the facts of its frames. */
export interface IndexedLog {
  readonly log: EventLog;
  readonly index: FrameIndex;
}

/**
 * Indexes the frames of a log from now on.
 * @param before how many events with a row came before those of the log
 */
export function withIndex(log: EventLog, before: number = log.droppedListed): IndexedLog {
  const index = new FrameIndex(before);
  for (const event of log.events) index.add(event);
  log.on("append", (event) => index.add(event));
  log.on("drop", (first) => index.drop(first));
  log.on("mark", (event) => index.mark(event));
  return { log, index };
}
