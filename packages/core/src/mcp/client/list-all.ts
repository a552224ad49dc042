import { isObject, type Params } from "../../rpc/message.ts";
import type { RequestOptions } from "../../rpc/pending-requests.ts";
import { badResult } from "../refusals.ts";

/** Sends a request if the server has announced a capability, as `McpClient` does. */
export interface CapabilityRequester {
  request(
    capability: string,
    method: string,
    params?: Params,
    options?: RequestOptions,
  ): Promise<unknown>;
}

/**
 * All items of a paginated list. Cursors are returned as received; an empty string is one too (MCP
 * 2025-11-25, Server / Utilities / Pagination).
 * @param list the method, whose first segment is the capability, and the member of its result that
 * holds the items
 * @throws IdewireError `protocol` for an invalid page or a repeated cursor
 */
export async function listAll<T>(
  client: CapabilityRequester,
  { method, member }: { readonly method: string; readonly member: string },
  options?: RequestOptions,
): Promise<readonly T[]> {
  const [capability = ""] = method.split("/");
  const all: T[] = [];
  const cursors = new Set<unknown>();
  let cursor: unknown;
  do {
    const params = cursor === undefined ? undefined : { cursor };
    const page = await client.request(capability, method, params, options);
    const items = isObject(page) ? page[member] : undefined;
    if (!isObject(page) || !Array.isArray(items)) throw badResult("server", method, page);
    all.push(...(items as T[]));
    cursor = page["nextCursor"] ?? undefined;
    if (cursors.has(cursor)) throw badResult("server", method, page);
    cursors.add(cursor);
  } while (cursor !== undefined);
  return all;
}
