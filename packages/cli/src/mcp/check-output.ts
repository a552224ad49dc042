import type { CallToolResult } from "@idewire/core/client";
import { jsonSchemaValidator } from "@idewire/core/json-schema";
import type { ConnectedContext } from "./open-client.ts";
import { warnIn } from "./warn-in.ts";

/** The result is printed already: the command does not wait long for a list that only a check needs. */
const LIST_TIMEOUT_MS = 5_000;

/**
 * Checks structured content against the `outputSchema` of its tool, as a client SHOULD (MCP 2025-11-25,
 * Server / Tools / Output Schema), and warns of a mismatch. Requests the list of tools only for a result with
 * such content; without an entry for the tool there is no check.
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
