import { IdewireError } from "../../errors.ts";
import { badResult } from "../../rpc/bad-result.ts";
import { asObject, type Params } from "../../rpc/message.ts";
import type { Redactor } from "../../rpc/redactor.ts";
import type { RequestOptions } from "../../rpc/request-options.ts";
import { Method } from "../protocol.ts";

/** How many pages a list may have. */
const MAX_PAGES = 1_000;

/** Sends requests, as `McpClient` does. */
export interface Requester extends Partial<Redactor> {
  request(method: string, params?: Params, options?: RequestOptions): Promise<unknown>;
}

/** A paginated list. */
export interface PaginatedList {
  readonly method: string;
  /** The member of the result that holds the items. */
  readonly member: string;
}

export const toolList: PaginatedList = { method: Method.ToolsList, member: "tools" };
export const promptList: PaginatedList = { method: "prompts/list", member: "prompts" };
export const resourceList: PaginatedList = { method: "resources/list", member: "resources" };
export const templateList: PaginatedList = {
  method: "resources/templates/list",
  member: "resourceTemplates",
};

/**
 * The pages of a list, one after another. Cursors are returned as received; an empty string is one too
 * (MCP 2025-11-25, Server / Utilities / Pagination).
 * @throws IdewireError `protocol` for an invalid page, a repeated cursor, and more than 1,000 pages
 */
export async function* pagesOf<T>(
  client: Requester,
  { method, member }: PaginatedList,
  options?: RequestOptions,
): AsyncGenerator<readonly T[], void, undefined> {
  const cursors = new Set<unknown>();
  let params: Params | undefined;
  for (;;) {
    const page = await client.request(method, params, options);
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
  client: Requester,
  list: PaginatedList,
  options?: RequestOptions,
): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const page of pagesOf<T>(client, list, options)) {
    for (const item of page) all.push(item);
  }
  return all;
}
