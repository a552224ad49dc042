import type { TraceEvent } from "../format/trace-event.ts";

/**
 * Whether an event has a row, and therefore a number, in lists of a log: frames, their causes and their
 * effects. The agent's terminal and the editor's state have views of their own.
 */
export function isListed(event: TraceEvent): boolean {
  if (event.ev === "editor") return event.change.kind.startsWith("review");
  return event.ev !== "transcript";
}
