import { baseName, type Mention, type PosixPath } from "@idewire/core";
import { agentTitle, describeUnable, type MentionDelivery } from "@idewire/core/internal";
import { ToolFailure } from "@idewire/core/rpc";
import { isOwnCommand } from "./internal-clients.ts";
import type { IdeListener } from "./listen-options.ts";

/** Why nothing of a file is shared with agents; undefined when it is. */
export function notSharedReason(
  path: PosixPath,
  { share, isExcluded }: Pick<IdeListener, "share" | "isExcluded">,
): string | undefined {
  if (isExcluded(path)) return `${baseName(path)} is excluded: nothing of it is shared with agents`;
  return share.level === "off" ? "nothing is shared with agents now" : undefined;
}

/**
 * The sessions that a mention reaches, since it is not kept for later ones, and those that it cannot.
 * @throws ToolFailure with the reason when it reaches none
 */
export function deliveryOf(
  mention: Pick<Mention, "path" | "session">,
  listener: Pick<IdeListener, "share" | "isExcluded" | "sessions" | "endpoints">,
): MentionDelivery {
  const { isTaken, ...delivery } = recipientsOf(mention, listener);
  if (!isTaken) throw new ToolFailure(`no agent received it: ${describeUnable(delivery)}`);
  return delivery;
}

/**
 * As {@link deliveryOf}, also when no agent takes mentions.
 * @throws ToolFailure when nothing is shared of the file, or no agent is connected
 */
export function recipientsOf(
  { path, session }: Pick<Mention, "path" | "session">,
  listener: Pick<IdeListener, "share" | "isExcluded" | "sessions" | "endpoints">,
): MentionDelivery & { readonly isTaken: boolean } {
  const reason = notSharedReason(path, listener);
  if (reason !== undefined) throw new ToolFailure(reason);
  const connected = [...listener.sessions];
  // Whatever is in no session is never sent anything.
  const asking = listener.endpoints.flatMap(({ asked }) => asked ?? []);
  if (connected.length === 0 && asking.length === 0) {
    throw new ToolFailure("no agent is connected, so none received it");
  }
  const meant = connected.filter(({ id }) => session === undefined || session === id);
  if (meant.length === 0 && session !== undefined) {
    throw new ToolFailure(`no agent received it: none is ${session}`);
  }
  const agents = meant.filter(({ agent }) => !isOwnCommand(agent));
  const unable = [
    ...agents
      .filter(({ takesMentions }) => !takesMentions)
      .map(({ id, agent }) => ({ session: id, title: agentTitle(agent) })),
    ...(session === undefined ? asking.map(({ agent: title }) => ({ title })) : []),
  ];
  const sessions = agents.filter(({ takesMentions }) => takesMentions).map(({ id }) => id);
  return { sessions, unable, isTaken: meant.some(({ takesMentions }) => takesMentions) };
}
