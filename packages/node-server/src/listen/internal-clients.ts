import type { Implementation } from "@idewire/core";

/** Whether one who has said its name is our own doctor, or one of our own checks. */
export function isOurs(agent: Implementation | undefined): boolean {
  return agent?.name === "idewire-doctor" || agent?.title === "idewire check";
}
