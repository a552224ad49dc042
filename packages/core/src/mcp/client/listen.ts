import type { Unsubscribe } from "../../emitter.ts";
import { IdewireError } from "../../errors.ts";
import { LISTEN } from "../modern-keys.ts";
import type { McpClient } from "./client.ts";
import { changesOf } from "./modern/changes.ts";
import type { ListenOptions, ListenTopics, Subscription } from "./subscription.ts";

/**
 * Asks a server of the modern era to tell of changes (MCP 2026-07-28, Basic / Patterns, Subscriptions), and
 * resolves when it has agreed. A stream that breaks, or that the server ends, is opened again, ever more
 * slowly while that fails. The legacy era has no such stream: its servers tell of lists unasked.
 * @throws IdewireError `protocol` for a server of the legacy era; what opening fails with
 */
export async function listen(
  client: McpClient,
  topics: ListenTopics,
  options: ListenOptions = {},
): Promise<Subscription> {
  if (client.modern === undefined) {
    throw new IdewireError("protocol", `${LISTEN} requires a server of 2026-07-28`);
  }
  return changesOf(client).listen(topics, options);
}

/**
 * Calls a listener when a list of the server has changed, in either era. In the modern one this keeps a stream
 * open, one for all that the client listens to; the listener is also called when that was broken in the
 * meantime, since a change may have been missed. It may be used before the client is connected.
 */
export function onListChanged(
  client: McpClient,
  list: "tools" | "prompts" | "resources",
  listener: () => void,
): Unsubscribe {
  const method = `notifications/${list}/list_changed`;
  const stop = client.on(method, listener);
  const { end } = changesOf(client).follow(method);
  return () => {
    stop();
    end();
  };
}
