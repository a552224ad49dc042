import { describeDiffEnd } from "@idewire/core/internal";
import { describeClosing } from "@idewire/devtools/internal";
import type { TraceEvent } from "@idewire/devtools/trace";

/** Whether an event between frames is shown as a note: a cause or an effect of frames. */
export function isNote(event: TraceEvent): boolean {
  if (event.ev === "editor") return event.change.kind.startsWith("review");
  return event.ev !== "frame";
}

/** A note in words. */
export function describeNote(event: TraceEvent): string {
  switch (event.ev) {
    case "action":
      return `the ${event.who} ${event.text}`;
    case "transcript":
      return `${event.who === "idewire" ? "" : "the agent prints: "}${event.text.slice(0, 300)}`;
    case "lock":
      return `lock file ${event.file} ${event.what}`;
    case "open":
      return `connection open${event.protocol === undefined ? "" : `, sub-protocol ${event.protocol}`}`;
    case "close":
      return inSentence(describeClosing(event));
    case "control":
      return event.op === "refused"
        ? `refused: ${event.text ?? "no reason given"}`
        : `${event.op} ${event.text ?? ""}`;
    case "http":
      return `HTTP ${event.method ?? ""} ${event.url ?? ""}`;
    case "fault":
      return `fault: ${event.text}`;
    case "editor":
      return describeChange(event.change);
    default:
      return "a frame";
  }
}

/** A sentence as the other notes are written. */
function inSentence(words: string): string {
  return `${words.charAt(0).toLowerCase()}${words.slice(1)}`;
}

function describeChange(change: Extract<TraceEvent, { ev: "editor" }>["change"]): string {
  if (change.kind === "review-opened") return `the editor shows the diff of ${change.path}`;
  if (change.kind === "review-closed") {
    return `the diff ${describeDiffEnd(change.outcome, change.by)}`;
  }
  return `the editor: ${change.kind} ${change.path}`;
}

/** The end at which it occurs; empty between both. */
export function sideOf(event: TraceEvent): "ide" | "agent" | "" {
  if (event.ev === "action") return event.who === "person" ? "ide" : "agent";
  if (event.ev === "transcript") return event.who === "idewire" ? "" : "agent";
  if (event.ev === "http") return "agent";
  if (event.ev === "control") return event.dir === "ide>agent" ? "ide" : "agent";
  return event.ev === "editor" || event.ev === "lock" ? "ide" : "";
}
