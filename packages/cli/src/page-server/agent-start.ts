import { dirname } from "node:path";
import { allDialects } from "@idewire/core";
import {
  claudeCommand,
  claudeDiscovery,
  type DialectAgent,
  shellQuote,
} from "@idewire/core/internal";
import type { AgentStart, StartedAgent } from "@idewire/devtools/internal";
import type { IdeEndpoint } from "@idewire/node-server";
import { discoveryDirectory, type Environment } from "@idewire/node-server/internal/files";

const claude = { name: "Claude Code", command: claudeCommand };
const opencode = { name: "opencode", command: "opencode" };

/** A folder that agents can find. */
interface OfferedFolder {
  /** Native. */
  readonly folder: string;
  readonly endpoints: readonly IdeEndpoint[];
  readonly env: Environment;
}

/**
 * How agents are started so that they find a folder. opencode is left out if it cannot: it reads only the lock
 * files in the home directory (docs/clients/opencode.md, Discovery).
 */
export function describeStart({ folder, endpoints, env }: OfferedFolder): AgentStart {
  const sockets = endpoints.filter(({ kind }) => kind === "web-socket");
  const [{ folders: [seen = folder] = [], lockFile = "" } = {}] = sockets;
  if (seen !== folder) return { folder: seen, agents: [claude], lockFile };
  const home = discoveryDirectory(claudeDiscovery.folder, { ...env, CLAUDE_CONFIG_DIR: undefined });
  const isMoved = dirname(lockFile) !== home;
  const directory = isMoved ? env["CLAUDE_CONFIG_DIR"] : undefined;
  const others = startedOf(endpoints);
  if (sockets.length === 0) return { folder, agents: others };
  if (directory === undefined) return { folder, agents: [claude, opencode, ...others] };
  const command = `CLAUDE_CONFIG_DIR=${shellQuote(directory)} ${claude.command}`;
  return { folder, agents: [{ ...claude, command }, ...others] };
}

/** The agents with their own dialect. */
function startedOf(endpoints: readonly IdeEndpoint[]): readonly StartedAgent[] {
  return allDialects.flatMap(({ id, agent }) => {
    const { title: name, start: command, enable } = agent ?? {};
    const isServed = endpoints.some(({ dialect }) => dialect === id);
    if (!isServed || name === undefined || command === undefined) return [];
    return { name, command, ...(enable && { hint: describeEnabling(enable) }) };
  });
}

/** The person's act in an agent before it connects. */
export function describeEnabling({ command, often }: NonNullable<DialectAgent["enable"]>): string {
  return `type ${command} ${often}`;
}
