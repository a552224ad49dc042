import { allDialects, type Dialect } from "@idewire/core";
import type { DialectAgent } from "@idewire/core/internal";

/** An agent that the person may turn on. */
export interface OtherAgent {
  readonly dialect: Dialect;
  readonly agent: DialectAgent;
  /** The key of its switch in the settings. */
  readonly key: string;
}

/** The agents other than those of Claude Code's dialect; a new dialect is listed automatically. */
export const otherAgents: readonly OtherAgent[] = allDialects.flatMap((dialect) => {
  const { agent, id } = dialect;
  return agent === undefined ? [] : { dialect, agent, key: `agent-${id}` };
});
