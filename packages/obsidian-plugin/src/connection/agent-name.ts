import type { IdeSession } from "@idewire/core";
import { agentTitle, showHiddenInLine } from "@idewire/core/internal";

/** The display name of an agent. */
export function agentName({ agent }: Pick<IdeSession, "agent">): string {
  return showHiddenInLine(agentTitle(agent));
}
