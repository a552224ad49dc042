import type { IdeSession } from "@idewire/core";
import { showHiddenInLine } from "@idewire/core/internal";

const names: Readonly<Record<string, string>> = {
  "claude-code": "Claude Code",
  "gemini-cli": "Gemini CLI",
};

/** The display name of an agent. */
export function agentName({ agent }: Pick<IdeSession, "agent">): string {
  return names[agent?.name ?? ""] ?? showHiddenInLine(agent?.title ?? agent?.name ?? "Agent");
}
