import { IdewireError } from "../../errors.ts";
import { badResult } from "../../rpc/bad-result.ts";
import { asObject, type Params } from "../../rpc/message.ts";
import type { Redactor } from "../../rpc/redactor.ts";
import type { RequestOptions } from "../../rpc/request-options.ts";
import { Method } from "../protocol.ts";

/** How many pages a list may have. */
const MAX_PAGES = 1_000;

/** Sends a request if the server has announced a capability, as `McpClient` does. */
export interface CapabilityRequester extends Partial<Redactor> {
  request(
    capability: string,
    method: string,
    params?: Params,
    options?: RequestOptions,
  ): Promise<unknown>;
}

/** A paginated list. */
export interface PaginatedList {
  /** Its first segment is the capability, unless another one is named. */
  readonly method: string;
  /** The member of the result that holds the items. */
  readonly member: string;
  readonly capability?: string;
}

/** The list of tools. */
export const toolList: PaginatedList = { method: Method.ToolsList, member: "tools" };

/**
 * The pages of a list, one after another. Cursors are returned as received; an empty string is one too
 * (MCP 2025-11-25, Server / Utilities / Pagination).
 * @throws IdewireError `protocol` for an invalid page, a repeated cursor, and more than 1,000 pages
 */
export async function* pagesOf<T>(
  client: CapabilityRequester,
  { method, member, capability = method.replace(/\/.*/, "") }: PaginatedList,
  options?: RequestOptions,
): AsyncGenerator<readonly T[], void, undefined> {
  const cursors = new Set<unknown>();
  let params: Params | undefined;
  for (;;) {
    const page = await client.request(capability, method, params, options);
    const { [member]: items, nextCursor } = asObject(page);
    if (!Array.isArray(items)) throw badResult("server", method, page, client);
    if (cursors.has(nextCursor)) {
      throw badResult("server", `${method} twice`, { nextCursor }, client);
    }
    yield items as readonly T[];
    if (nextCursor === undefined || nextCursor === null) return;
    cursors.add(nextCursor);
    if (cursors.size >= MAX_PAGES) {
      const text = `${method}: the server has more than ${MAX_PAGES} pages`;
      throw new IdewireError("protocol", text);
    }
    params = { cursor: nextCursor };
  }
}

/** All items of a paginated list; see {@link pagesOf}. */
export async function listAll<T>(
  client: CapabilityRequester,
  list: PaginatedList,
  options?: RequestOptions,
): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const page of pagesOf<T>(client, list, options)) {
    for (const item of page) all.push(item);
  }
  return all;
}
