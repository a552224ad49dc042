import { IdewireError } from "../../errors.ts";
import type { CloseDiffReason } from "../editor-host.ts";

/** Where a person answers a proposal. */
export type DiffAnsweredIn = "terminal" | "page" | "script" | "editor";

/** Who ended a proposal: where a person has answered it here, or else why nobody could. */
export type DiffEndedBy = DiffAnsweredIn | CloseDiffReason | "editor-closed";

const places: ReadonlyMap<string, string> = new Map([
  ["terminal", " in the terminal"],
  ["page", " in the page"],
  ["script", " by the script"],
  ["editor", " in the editor"],
]);

const reasons: ReadonlyMap<string, string> = new Map([
  ["answered-elsewhere", "was answered in its agent, which does not say how"],
  ["session-gone", "is void: its agent has gone"],
  ["asked", "was withdrawn by its agent"],
  ["editor-closed", "is void: the editor has closed"],
]);

/**
 * What became of a proposal, as the end of a sentence: `was accepted in the terminal`. Both may be
 * of a recording, and so any text; what is not known is left out.
 */
export function describeDiffEnd(outcome: string, by = ""): string {
  if (outcome !== "cancelled") return `was ${outcome}${places.get(by) ?? ""}`;
  return reasons.get(by) ?? "was ended, and nobody answered it here";
}

/**
 * Why an answer is no longer wanted, by the signal that says so: of a call, which ends with its
 * connection or because the agent cancels it, or of an editor's diff, whose signal has the reason.
 */
export function closeReasonOf(signal: AbortSignal): CloseDiffReason {
  const { reason } = signal;
  if (reason === "session-gone" || reason === "answered-elsewhere") return reason;
  return reason instanceof IdewireError && reason.code === "closed" ? "session-gone" : "asked";
}
