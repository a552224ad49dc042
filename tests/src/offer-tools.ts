import { realpathSync } from "node:fs";
import { McpServer } from "@idewire/core/server";
import { type OpenFolderEndpoint, openFolderEndpoint } from "@idewire/node-server/internal";
import { onTestFinished } from "vitest";

/** Offers a tool for a folder, `echo`, as the plugin offers the tools of a vault. */
export async function offerTools(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<OpenFolderEndpoint & { readonly server: McpServer<undefined> }> {
  const server = new McpServer<undefined>({ name: "vault", version: "1.0.0" });
  server.tool("echo", {}, (args) => JSON.stringify(args));
  const options = { server, context: undefined, folder: realpathSync(folder), env };
  const open = await openFolderEndpoint(options);
  onTestFinished(() => open.close().catch(() => {}));
  return { ...open, server };
}
