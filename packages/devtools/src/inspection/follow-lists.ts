import type { McpClient } from "@idewire/core/client";

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

/** Runs an act again only after its previous run, once for all requests of that time. */
function coalesced(act: () => Promise<unknown>): () => void {
  let isRunning = false;
  let isDue = false;
  const run = async () => {
    isRunning = true;
    do {
      isDue = false;
      await act();
    } while (isDue);
    isRunning = false;
  };
  return () => {
    isDue = true;
    if (!isRunning) void run();
  };
}
