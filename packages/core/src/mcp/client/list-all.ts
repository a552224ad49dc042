import { IdewireError, RpcError } from "../../errors.ts";
import { badResult } from "../../rpc/bad-result.ts";
import { asObject, type Params } from "../../rpc/message.ts";
import type { Redactor } from "../../rpc/redactor.ts";
import type { RequestOptions } from "../../rpc/request-options.ts";
import { describeValue } from "../../text/describe-value.ts";
import { Method } from "../protocol.ts";
import { withoutNulls } from "./without-nulls.ts";

/** How many pages a list may have. */
const MAX_PAGES = 1_000;

/** Sends requests, as `McpClient` does. */
export interface Requester extends Partial<Redactor> {
  request(method: string, params?: Params, options?: RequestOptions): Promise<unknown>;
  /** Reports a fault of the server that leaves a part of its answer usable. */
  warn?(words: string): void;
}

/** A paginated list. */
export interface PaginatedList {
  readonly method: string;
  /** The member of the result that holds the items. */
  readonly member: string;
  /** The member of an item that identifies it, a string. */
  readonly key: string;
  /** Required members, added to an item that lacks them. */
  readonly absent?: Params;
}

export const toolList: PaginatedList = {
  method: Method.ToolsList,
  member: "tools",
  key: "name",
  absent: { inputSchema: { type: "object" } },
};
export const promptList: PaginatedList = { method: "prompts/list", member: "prompts", key: "name" };
export const resourceList: PaginatedList = {
  method: "resources/list",
  member: "resources",
  key: "uri",
};
export const templateList: PaginatedList = {
  method: "resources/templates/list",
  member: "resourceTemplates",
  key: "uriTemplate",
};

/**
 * The pages of a list, one after another. Cursors are returned as received; an empty string is one too (MCP
 * 2025-11-25, Server / Utilities / Pagination).
 *
 * A fault of the server ends the list or drops an item, with a warning, as long as anything of the list is usable:
 * items without their key, invalid or refused later pages, a repeated cursor, pages without new items, more than
 * 1,000 pages.
 * @throws IdewireError `protocol` for an answer without a usable item
 */
export async function* pagesOf<T>(
  client: Requester,
  list: PaginatedList,
  options?: RequestOptions,
): AsyncGenerator<readonly T[], void, undefined> {
  const pages = new ListPages(client, list, options);
  for (let page = await pages.next(); page !== undefined; page = await pages.next()) {
    yield page as readonly T[];
  }
}

/** All items of a paginated list; see {@link pagesOf}. */
export async function listAll<T>(
  client: Requester,
  list: PaginatedList,
  options?: RequestOptions,
): Promise<readonly T[]> {
  const pages = new ListPages(client, list, options);
  // An asynchronous generator costs several turns for each page.
  const all: T[] = [];
  for (let page = await pages.next(); page !== undefined; page = await pages.next()) {
    for (const item of page) all.push(item as T);
  }
  return all;
}

/** The pages of one list, with the items and cursors of the earlier ones. */
class ListPages {
  readonly #client: Requester;
  readonly #list: PaginatedList;
  readonly #options: RequestOptions | undefined;
  readonly #cursors = new Set<string>();
  readonly #keys = new Set<unknown>();
  #count = 0;
  /** As the last page has it. */
  #cursor: unknown;

  constructor(client: Requester, list: PaginatedList, options: RequestOptions | undefined) {
    this.#client = client;
    this.#list = list;
    this.#options = options;
  }

  /** The usable items of the next page; undefined after the last one. */
  async next(): Promise<readonly unknown[] | undefined> {
    if (this.#count > 0 && !this.#hasMore()) return undefined;
    const params = this.#count > 0 ? { cursor: this.#cursor } : undefined;
    this.#count += 1;
    let page: unknown;
    try {
      page = await this.#client.request(this.#list.method, params, this.#options);
    } catch (error) {
      return this.#refused(error);
    }
    this.#cursor = asObject(page)["nextCursor"] ?? undefined;
    return this.#take(page);
  }

  #hasMore(): boolean {
    if (this.#cursor === undefined || this.#isRepeated(this.#cursor)) return false;
    if (this.#count < MAX_PAGES) return true;
    const words = `the server has more than ${MAX_PAGES} pages; the others are left out`;
    this.#client.warn?.(`${this.#list.method}: ${words}`);
    return false;
  }

  /** The usable new items of a page; undefined for an invalid later page, and for one with repeated items only. */
  #take(page: unknown): readonly unknown[] | undefined {
    const { method, member, key, absent } = this.#list;
    const items = asObject(page)[member];
    if (!Array.isArray(items)) {
      return this.#fail(badResult("server", method, page, this.#client));
    }
    const hasKey = (item: unknown): item is Params => typeof asObject(item)[key] === "string";
    const usable = (items as readonly unknown[]).filter(hasKey);
    if (usable.length < items.length) {
      const bad: unknown = items.find((item) => !hasKey(item));
      const seen = describeValue(bad, this.#client);
      const words = `${method}: the server's answer has ${seen}, which has no ${key}`;
      if (usable.length === 0) return this.#fail(new IdewireError("protocol", words));
      this.#client.warn?.(words);
    }
    const fresh = usable.filter((item) => !this.#keys.has(item[key]));
    for (const item of fresh) this.#keys.add(item[key]);
    if (fresh.length > 0 || items.length === 0) return fresh.map((item) => complete(item, absent));
    this.#client.warn?.(`${method}: the server repeats its items; the list ends here`);
    return undefined;
  }

  /** @throws the failure of a request, unless the server refuses a later page */
  #refused(error: unknown): undefined {
    if (!(error instanceof RpcError) || this.#keys.size === 0) throw error;
    const shown = this.#client.redact?.(error.message) ?? error.message;
    this.#client.warn?.(`${this.#list.method}: ${shown} (${error.code}); the list ends here`);
    return undefined;
  }

  #isRepeated(cursor: unknown): boolean {
    // Cursors that are not strings are compared by their JSON.
    const key = JSON.stringify(cursor);
    const isRepeated = this.#cursors.has(key);
    this.#cursors.add(key);
    if (isRepeated) {
      const seen = describeValue(cursor, this.#client);
      const words = `${this.#list.method}: the server repeats the cursor ${seen}`;
      this.#client.warn?.(`${words}; the list ends here`);
    }
    return isRepeated;
  }

  /** @throws IdewireError unless there were usable items before */
  #fail(error: IdewireError): undefined {
    if (this.#keys.size === 0) throw error;
    this.#client.warn?.(`${error.message}; the list ends here`);
  }
}

function complete(item: Params, absent: Params | undefined): Params {
  const described = withoutNulls(item);
  for (const name in absent) {
    if (described[name] === undefined) return { ...absent, ...described };
  }
  return described;
}
