import { asObject } from "../rpc/message.ts";

/** The member of the parameters that says which one is asked for, by method. */
const namedBy: ReadonlyMap<unknown, string> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
  ["tasks/get", "taskId"],
  ["tasks/update", "taskId"],
  ["tasks/cancel", "taskId"],
]);

/**
 * Which tool, prompt, resource or task a message names, whatever is there; over HTTP, `Mcp-Name` repeats it
 * (MCP 2026-07-28, Streamable HTTP).
 */
export function nameIn({ method, params }: Readonly<Record<string, unknown>>): unknown {
  const member = namedBy.get(method);
  return member && asObject(params)[member];
}
