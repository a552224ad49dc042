import { baseName, type PosixPath } from "@idewire/core";
import { agentTitle } from "@idewire/core/internal";
import type { IdeListener } from "./listen-options.ts";

/** Why nothing of a file is shared with agents; undefined when it is. */
export function notSharedReason(
  path: PosixPath,
  { share }: Pick<IdeListener, "share">,
): string | undefined {
  if (share.isExcluded(path))
    return `${baseName(path)} is excluded: nothing of it is shared with agents`;
  return share.level === "off" ? "nothing is shared with agents now" : undefined;
}

/** Why a mention reaches no agent, since it is not kept for later ones; undefined when it does. */
export function undeliverableReason(
  path: PosixPath,
  listener: Pick<IdeListener, "share" | "sessions">,
): string | undefined {
  const reason = notSharedReason(path, listener);
  if (reason !== undefined) return reason;
  const sessions = [...listener.sessions];
  if (sessions.some(({ takesMentions }) => takesMentions)) return undefined;
  if (sessions.length === 0) return "no agent is connected, so none received it";
  const names = new Set(sessions.map(({ agent }) => agentTitle(agent)));
  return `no agent received it: ${[...names].join(", ")} cannot be sent a mention`;
}
