import type { Implementation } from "@idewire/core/server";

/** Whether a client is one of our own commands rather than an agent: `call`, `tail` or those below. */
export function isOwnCommand(agent: Implementation | undefined): boolean {
  return agent?.name === "idewire" || isOurs(agent);
}

/** The client that proposes the edits of opencode, if started by `idewire run`, as diffs of an editor. */
export const OPENCODE_REVIEWS = "opencode-reviews";

/** Whether a client stands in for opencode. */
export function isReviewer(agent: Implementation | undefined): boolean {
  return agent?.name === OPENCODE_REVIEWS;
}

/** Whether a client is our own doctor, or one of our own checks, by the name that it gave. */
export function isOurs(agent: Implementation | undefined): boolean {
  return agent?.name === "idewire-doctor" || agent?.title === "idewire check";
}
