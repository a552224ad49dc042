import type { TraceEvent } from "../format/trace-event.ts";

/**
 * Whether an event has a row, and therefore a number, in lists of a log: frames, their causes and their
 * effects. The agent's terminal and the editor's state have views of their own.
 */
export function isListed(event: TraceEvent): boolean {
  if (event.ev === "editor") return event.change.kind.startsWith("review");
  // The rest of an exchange is in the row of its request.
  if (event.ev === "http") return event.part === "request";
  // The row of the request says so.
  return event.ev !== "failed" && event.ev !== "transcript";
}
