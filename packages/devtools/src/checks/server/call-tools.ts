import { isObject } from "@idewire/core/internal";
import type { Params } from "@idewire/core/rpc";
import type { Received } from "../check-connection.ts";
import { CheckFailed } from "../verdict.ts";
import type { ServerSession } from "./server-session.ts";

/** A tool, and the answer to its call. */
export interface CalledTool {
  readonly tool: Params;
  readonly answer: Received & { readonly result: Params };
}

/** Tools called at most. */
const MAX_CALLS = 8;

/** The result of each tool that may be called; a call that fails, or takes too long, has none. */
export async function callTools(
  session: ServerSession,
  tools: readonly Params[],
  destructive: boolean,
): Promise<readonly CalledTool[]> {
  const called: CalledTool[] = [];
  for (const tool of tools.filter((each) => destructive || isReadOnly(each)).slice(0, MAX_CALLS)) {
    const args = exampleOf(tool["inputSchema"]);
    if (!isObject(args)) continue;
    const id = session.connection.nextId();
    try {
      const params = session.params({ name: tool["name"], arguments: args });
      const { message, ...received } = await session.connection.request("tools/call", params, id);
      const { result } = message;
      if (isObject(result)) called.push({ tool, answer: { ...received, message, result } });
    } catch (error) {
      if (!(error instanceof CheckFailed)) throw error;
      session.connection.notify("notifications/cancelled", { requestId: id, reason: "too slow" });
    }
  }
  return called;
}

export function isReadOnly({ annotations }: Params): boolean {
  return isObject(annotations) && annotations["readOnlyHint"] === true;
}

/** The names of the required arguments. */
export function requiredOf(schema: unknown): readonly string[] {
  const required = isObject(schema) ? schema["required"] : undefined;
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}

/** A value that a schema names itself; undefined if it names none. */
function exampleOf(schema: unknown): unknown {
  if (!isObject(schema)) return undefined;
  const { default: usual, examples, enum: values } = schema;
  if ("const" in schema) return schema["const"];
  if (usual !== undefined) return usual;
  for (const list of [examples, values]) if (Array.isArray(list) && list.length > 0) return list[0];
  if (schema["type"] !== "object") return undefined;
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const members = requiredOf(schema).map((name) => [name, exampleOf(properties[name])] as const);
  if (members.some(([, value]) => value === undefined)) return undefined;
  return Object.fromEntries(members);
}
