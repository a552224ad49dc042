import { realpathSync } from "node:fs";
import { jsonSchemaValidator } from "@idewire/core/json-schema";
import { defineTool, fromJsonSchema, McpServer, textResult } from "@idewire/core/server";
import { type OpenFolderEndpoint, openFolderEndpoint } from "@idewire/node-server/internal";
import { onTestFinished } from "vitest";

/** Offers one tool for a folder, `echo`, as the plugin offers those of a vault. */
export async function offerTools(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<OpenFolderEndpoint & { readonly server: McpServer<undefined> }> {
  const echo = defineTool<unknown, undefined>({
    name: "echo",
    input: fromJsonSchema({ type: "object" }, jsonSchemaValidator),
    run: (args) => textResult(JSON.stringify(args)),
  });
  const server = new McpServer<undefined>({
    info: { name: "vault", version: "1.0.0" },
    tools: [echo],
  });
  const options = { server, context: undefined, folder: realpathSync(folder), env };
  const open = await openFolderEndpoint(options);
  onTestFinished(() => open.close().catch(() => {}));
  return { ...open, server };
}
