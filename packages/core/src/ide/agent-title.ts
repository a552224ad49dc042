import type { Implementation } from "../mcp/protocol.ts";

/** The titles of agents in families of several programs; for other families the dialect has the title. */
const titles: Readonly<Record<string, string>> = {
  "claude-code": "Claude Code",
  // It stands in for opencode, which opens no diffs.
  "opencode-reviews": "opencode",
};

/**
 * The title of an agent in all texts for people. It comes from the agent: make hidden characters visible where it
 * is displayed.
 */
export function agentTitle(agent: Pick<Implementation, "name" | "title"> | undefined): string {
  if (agent === undefined) return "an agent";
  const { name, title = Object.hasOwn(titles, name) ? titles[name] : undefined } = agent;
  return title || name || "an agent";
}
