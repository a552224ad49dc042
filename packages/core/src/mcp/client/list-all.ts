import { IdewireError } from "../../errors.ts";
import { describeValue, isObject, type Params } from "../../rpc/message.ts";
import type { RequestOptions } from "../../rpc/pending-requests.ts";

/** Sends a request if the server has announced a capability; an `McpClient` does. */
export interface CapabilityRequester {
  request(
    capability: string,
    method: string,
    params?: Params,
    options?: RequestOptions,
  ): Promise<unknown>;
}

/** A list of the server's that comes in pages. */
export interface PagedList {
  readonly capability: string;
  readonly method: string;
  /** The member of the result that is the page. */
  readonly member: string;
}

/**
 * All of a list, page after page, with the cursors as they were given; an empty text is one too
 * (MCP 2025-11-25, Server / Utilities / Pagination).
 * @throws IdewireError `protocol` for a page that is none, or a cursor that comes back
 */
export async function listAll<T>(
  client: CapabilityRequester,
  { capability, method, member }: PagedList,
  options?: RequestOptions,
): Promise<readonly T[]> {
  const all: T[] = [];
  const cursors = new Set<unknown>();
  let cursor: unknown;
  do {
    const params = cursor === undefined ? undefined : { cursor };
    const page = await client.request(capability, method, params, options);
    const items = isObject(page) ? page[member] : undefined;
    if (!isObject(page) || !Array.isArray(items)) throw badResult(method, page);
    all.push(...(items as T[]));
    cursor = page["nextCursor"] ?? undefined;
    if (cursors.has(cursor)) throw badResult(method, page);
    cursors.add(cursor);
  } while (cursor !== undefined);
  return all;
}

/** The error for an answer of the server that the protocol does not allow. */
export function badResult(method: string, answer: unknown): IdewireError {
  return new IdewireError(
    "protocol",
    `The server answered ${method} with ${describeValue(answer)}`,
  );
}
