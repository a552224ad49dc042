import { IdewireError } from "../../errors.ts";
import { describeValue, isObject } from "../../rpc/message.ts";

/** The keyword of a member of a tool's input that clients repeat in a header. */
const KEYWORD = "x-mcp-header";

/** Keywords whose values are no schemas. */
const data = /^(const|enum|default|examples)$/;

/**
 * What is wrong with the `x-mcp-header` of an input schema; undefined when nothing is (MCP 2026-07-28,
 * Streamable HTTP, Custom Headers): each is a token that no other one is, of a text, integer or boolean
 * that `properties` alone lead to. Clients drop a tool of which that is not true.
 */
export function findHeaderParameterFault(schema: unknown): string | undefined {
  return findFault(schema, true, new Set());
}

/** @throws IdewireError `invalid-argument` for a schema for which clients would drop the tool */
export function requireHeaderParameters(schema: unknown): void {
  const fault = findHeaderParameterFault(schema);
  if (fault !== undefined) throw new IdewireError("invalid-argument", fault);
}

function findFault(schema: unknown, isReachable: boolean, names: Set<string>): string | undefined {
  const parts = typeof schema === "object" && schema !== null ? Object.entries(schema) : [];
  let fault: string | undefined;
  for (const [key, part] of parts) {
    if (key === KEYWORD) fault ??= findNameFault(schema as object, isReachable, names);
    else if (key === "properties" && isObject(part)) {
      for (const member of Object.values(part)) fault ??= findFault(member, isReachable, names);
    } else if (!data.test(key)) fault ??= findFault(part, false, names);
  }
  return fault;
}

function findNameFault(
  { [KEYWORD]: name, type }: { readonly [KEYWORD]?: unknown; readonly type?: unknown },
  isReachable: boolean,
  names: Set<string>,
): string | undefined {
  const wrong = (what: string) => `${KEYWORD}: ${what}, got ${describeValue(name)}`;
  if (typeof name !== "string" || !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
    return wrong("expected the name of a header");
  }
  if (!isReachable) return wrong("expected only in members that `properties` lead to");
  if (type !== "string" && type !== "integer" && type !== "boolean") {
    return wrong("expected on a string, integer or boolean");
  }
  if (names.has(name.toLowerCase())) return wrong("expected each name once");
  names.add(name.toLowerCase());
  return undefined;
}
