import type { SessionId } from "./editor-host.ts";

/** Which agents a mention has reached. */
export interface MentionDelivery {
  /** The sessions that receive it. */
  readonly sessions: readonly SessionId[];
  /** The agents that cannot be sent a mention: their sessions, if they are in any, and what a person reads of them. */
  readonly unable: readonly { readonly session?: SessionId; readonly title: string }[];
}

/** Names the agents that a mention cannot reach; undefined where there are none. */
export function describeUnable({ unable }: Pick<MentionDelivery, "unable">): string | undefined {
  if (unable.length === 0) return undefined;
  const names = [...new Set(unable.map(({ title }) => title))];
  return `${names.join(", ")} cannot be sent a mention`;
}
