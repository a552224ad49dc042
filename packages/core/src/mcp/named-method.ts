import { asObject } from "../rpc/message.ts";

/** The member of the parameters that names the target, by method. */
const namedBy: ReadonlyMap<unknown, string> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
  ["tasks/get", "taskId"],
  ["tasks/update", "taskId"],
  ["tasks/cancel", "taskId"],
]);

/**
 * The tool, prompt, resource or task that a message names, unchecked; over HTTP, `Mcp-Name` repeats it (MCP
 * 2026-07-28, Streamable HTTP).
 */
export function nameIn({ method, params }: Readonly<Record<string, unknown>>): unknown {
  const member = namedBy.get(method);
  return member && asObject(params)[member];
}
