import { type EventLog, FrameIndex } from "@idewire/devtools/trace";

/** A log, and the facts of its frames. */
export interface IndexedLog {
  readonly log: EventLog;
  readonly index: FrameIndex;
}

/** Keeps the facts of the frames of a log from now on. */
export function withIndex(log: EventLog): IndexedLog {
  const index = new FrameIndex();
  for (const event of log.events) index.add(event);
  log.on("append", (event) => index.add(event));
  log.on("drop", (first) => index.drop(first));
  return { log, index };
}
