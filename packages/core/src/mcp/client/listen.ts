import { IdewireError } from "../../errors.ts";
import { LISTEN } from "../modern-keys.ts";
import type { McpClient } from "./client.ts";
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
  const { modern } = client;
  if (modern === undefined) {
    throw new IdewireError("protocol", `${LISTEN} requires a server of 2026-07-28`);
  }
  return modern.changes.listen(topics, options);
}
