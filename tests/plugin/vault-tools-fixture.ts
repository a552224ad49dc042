import { type FolderEndpoint, readFolderEndpoint } from "@idewire/node-server/internal";
import { expect, onTestFinished } from "vitest";
import { Client, StreamableHTTPClientTransport } from "../interop/sdk-client.ts";
import type { ObsidianHost } from "../obsidian-host/index.ts";

/** Connects over HTTP to the endpoint in the vault's record. */
export async function connect(host: ObsidianHost): Promise<Client> {
  const line = await copied(host);
  expect(line).toMatch(/^claude mcp add vault -- idewire vault-tools --cwd /);
  const { url = "", token = "" } = (await endpointOf(host)) ?? {};
  expect(line).not.toContain(token);
  const client = new Client({ name: "agent", version: "1.0.0" });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  onTestFinished(() => client.close());
  return client;
}

/** The endpoint of the vault's tools. */
export function endpointOf(host: ObsidianHost): Promise<FolderEndpoint | undefined> {
  return readFolderEndpoint(host.vault, { HOME: host.home });
}

/**
 * Gives a window a clipboard of its own: the machine's is shared, also with tests that run in
 * parallel.
 * @returns reads its text
 */
export async function ownClipboard(host: ObsidianHost): Promise<() => Promise<string>> {
  await host.page.evaluate(`Object.assign(navigator.clipboard, {
    writeText: async (text) => void (navigator.clipboard.copied = text),
  })`);
  return async () => String(await host.page.evaluate("navigator.clipboard.copied"));
}

/** The line that the settings copy to the clipboard. */
export async function copied(host: ObsidianHost): Promise<string> {
  const clipboard = await ownClipboard(host);
  await host.settings.open("Vault tools");
  await host.page.getByText("Add them to an agent").click();
  await host.notice(/Run it once in a terminal/);
  await host.settings.close();
  return clipboard();
}

/** Calls a tool and returns its text. */
export async function type(
  client: Client,
  name: string,
  args: Record<string, unknown>,
): Promise<string> {
  const { content } = await client.callTool({ name, arguments: args });
  return (content as { text: string }[]).map(({ text }) => text).join("\n");
}
