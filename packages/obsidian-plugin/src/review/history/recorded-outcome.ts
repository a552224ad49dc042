import type { DiffOutcome } from "@idewire/core";
import type { DiffEndedBy } from "@idewire/core/internal";
import type { ReviewOutcome } from "./record.ts";

/** Outcomes of reviews that were not decided here. */
const UNDECIDED: Readonly<Partial<Record<DiffEndedBy, ReviewOutcome>>> = {
  "answered-elsewhere": "answered-elsewhere",
  asked: "withdrawn",
};

/** The outcome of a review as recorded in the history. */
export function recordedOutcome(outcome: DiffOutcome, by: DiffEndedBy): ReviewOutcome {
  if (outcome.kind === "cancelled") return UNDECIDED[by] ?? "expired";
  return outcome.kind === "accepted" && outcome.edited ? "edited" : outcome.kind;
}
