import type { CloseDiffReason } from "./editor-host.ts";

/** Who ended a proposal: where a person has answered it here, or else why nobody could. */
export type DiffEndedBy = "terminal" | "page" | "script" | CloseDiffReason | "editor-closed";

const places: ReadonlyMap<string, string> = new Map([
  ["terminal", " in the terminal"],
  ["page", " in the page"],
  ["script", " by the script"],
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
