import type { McpClient } from "@idewire/core/client";
import { coalesced } from "@idewire/core/internal";

/** The lists of a server, by the capability that offers them. */
const LISTS = [
  ["tools", "listTools"],
  ["prompts", "listPrompts"],
  ["resources", "listResources"],
  ["resources", "listResourceTemplates"],
] as const;

/** Requests the lists that a server offers, now and after each change. */
export function followLists(client: McpClient, onerror: (error: unknown) => void): void {
  for (const [capability, list] of LISTS) {
    if (!Object.hasOwn(client.server.capabilities, capability)) continue;
    const read = coalesced(() => client[list]().catch(onerror));
    read();
    client.onListChanged(capability, read);
  }
}
