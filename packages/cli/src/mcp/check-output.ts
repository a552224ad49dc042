import type { CallToolResult } from "@idewire/core/client";
import { jsonSchemaValidator } from "@idewire/core/json-schema";
import type { ConnectedContext } from "./open-client.ts";
import { warnIn } from "./warn-in.ts";

/** The result is printed already: the command does not wait long for a list that only a check needs. */
const LIST_TIMEOUT_MS = 5_000;

/**
 * Warns of structured content that does not match the `outputSchema` of its tool, as a client SHOULD (MCP
 * 2025-11-25, Server / Tools / Output Schema). The tools are listed only for such
 * a result, and nothing is reported of a server that does not list the tool.
 */
export async function checkOutput(
  context: ConnectedContext,
  { structuredContent, isError }: CallToolResult,
): Promise<void> {
  if (structuredContent === undefined || isError === true) return;
  const { client, run, stop } = context;
  const [name] = run.names;
  const timeoutMs = Math.min(run.timeoutMs ?? LIST_TIMEOUT_MS, LIST_TIMEOUT_MS);
  const listed = client.listTools({ signal: stop.signal, timeoutMs });
  const tools = await listed.catch(() => []);
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
