import type { TraceEvent } from "../format/trace-event.ts";

/**
 * Whether an event has a row, and so a number, in lists of a log: frames, and what leads to them or comes
 * of them. What an agent prints and what an editor holds is shown elsewhere.
 */
export function isListed(event: TraceEvent): boolean {
  if (event.ev === "editor") return event.change.kind.startsWith("review");
  return event.ev !== "transcript";
}
