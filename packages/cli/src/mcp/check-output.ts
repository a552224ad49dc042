import type { CallToolResult } from "@idewire/core/client";
import { jsonSchemaValidator } from "@idewire/core/json-schema";
import type { RequestOptions } from "@idewire/core/rpc";
import type { ConnectedContext } from "./open-client.ts";
import { warnIn } from "./warn-in.ts";

/**
 * Warns of structured content that does not match the `outputSchema` of its tool, as a client SHOULD (MCP
 * 2025-11-25, Server / Tools / Output Schema). A server that lists no such tool is not blamed.
 * @param options of the request that lists the tools; of a result without structured content it is not sent
 */
export async function checkOutput(
  context: ConnectedContext,
  { structuredContent, isError }: CallToolResult,
  options: RequestOptions,
): Promise<void> {
  if (structuredContent === undefined || isError === true) return;
  const [name] = context.run.names;
  const tools = await context.client.listTools(options).catch(() => []);
  const schema = tools.find((tool) => tool.name === name)?.outputSchema;
  if (schema === undefined) return;
  const warn = (fault: string) => warnIn(context)(`${name}: ${fault}`);
  try {
    const found = jsonSchemaValidator.compile(schema)(structuredContent);
    if (found.ok) return;
    warn(`the structured content does not match the outputSchema of the tool: ${found.issue}`);
  } catch (error) {
    warn(`the outputSchema of the tool cannot be used: ${(error as Error).message}`);
  }
}
