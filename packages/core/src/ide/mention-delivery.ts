import type { SessionId } from "./editor-host.ts";

/** The agents that a mention has reached. */
export interface MentionDelivery {
  /** The sessions that receive it. */
  readonly sessions: readonly SessionId[];
  /** The agents that cannot be sent a mention: their sessions, if any, and their titles. */
  readonly unable: readonly { readonly session?: SessionId; readonly title: string }[];
}

/** Names the agents that a mention cannot reach; undefined if there are none. */
export function describeUnable({ unable }: Pick<MentionDelivery, "unable">): string | undefined {
  if (unable.length === 0) return undefined;
  const names = [...new Set(unable.map(({ title }) => title))];
  return `${names.join(", ")} cannot be sent a mention`;
}
