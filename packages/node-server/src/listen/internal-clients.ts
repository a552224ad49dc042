import type { Implementation } from "@idewire/core/server";

/** Whether a client is no agent, but a command of ours that a person runs: `call`, `tail` or those below. */
export function isOwnCommand(agent: Implementation | undefined): boolean {
  return agent?.name === "idewire" || isOurs(agent);
}

/** Whether a client is our own doctor, or one of our own checks, by the name that it gave. */
export function isOurs(agent: Implementation | undefined): boolean {
  return agent?.name === "idewire-doctor" || agent?.title === "idewire check";
}
