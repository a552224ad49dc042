import type { Implementation } from "../mcp/protocol.ts";

/** Agents of a family in which each has a name of its own; the others' is in their dialect. */
const titles: Readonly<Record<string, string>> = {
  "claude-code": "Claude Code",
  // It stands in for opencode, which opens no diffs.
  "opencode-reviews": "opencode",
};

/**
 * What a person reads of an agent, wherever one is named. It comes from the agent: show hidden characters
 * where it is displayed.
 */
export function agentTitle(agent: Pick<Implementation, "name" | "title"> | undefined): string {
  if (agent === undefined) return "an agent";
  const { name, title = Object.hasOwn(titles, name) ? titles[name] : undefined } = agent;
  return title || name || "an agent";
}
