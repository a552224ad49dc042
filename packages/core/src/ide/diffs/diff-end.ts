import { IdewireError } from "../../errors.ts";
import type { CloseDiffReason } from "../editor-host.ts";

/** Where the person has answered a diff. */
export type DiffAnsweredIn = "terminal" | "page" | "script" | "editor";

/** The end of a diff: the place where the person answered it, or why it was closed unanswered. */
export type DiffEndedBy = DiffAnsweredIn | CloseDiffReason | "editor-closed";

const places: ReadonlyMap<string, string> = new Map([
  ["terminal", " in the terminal"],
  ["page", " in the page"],
  ["script", " by the script"],
  ["editor", " in the editor"],
]);

const reasons: ReadonlyMap<string, string> = new Map([
  ["answered-elsewhere", "was answered in its agent, which does not report the answer"],
  ["session-gone", "ended unanswered: its agent has gone"],
  ["asked", "was withdrawn by its agent"],
  ["editor-closed", "ended unanswered: the editor has closed"],
]);

/**
 * The outcome of a diff as the predicate of a sentence: `was accepted in the terminal`. Both arguments
 * may come from a recording and have any value; unknown ones are left out.
 */
export function describeDiffEnd(outcome: string, by = ""): string {
  if (outcome !== "cancelled") return `was ${outcome}${places.get(by) ?? ""}`;
  return reasons.get(by) ?? "ended without an answer here";
}

/**
 * Why an answer is no longer wanted, from the aborted signal: a call's, which ends with its connection or by
 * cancellation, or that of an editor's diff, which has the reason.
 */
export function closeReasonOf(signal: AbortSignal): CloseDiffReason {
  const { reason } = signal;
  if (reason === "session-gone" || reason === "answered-elsewhere") return reason;
  return reason instanceof IdewireError && reason.code === "closed" ? "session-gone" : "asked";
}
