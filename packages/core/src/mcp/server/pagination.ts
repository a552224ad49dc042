import { describeValue } from "../../text/describe-value.ts";
import { invalidParams } from "../refusals.ts";

/** A page of a list. */
export interface ListPage<T> {
  readonly items: readonly T[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
}

/** How a list is divided into pages. */
export interface PageOptions<T> {
  /** The key of an item; a cursor is the key of the last item of a page. */
  readonly keyOf: (item: T) => string;
  /** As received from the client. */
  readonly cursor: unknown;
  /** A single page by default. */
  readonly pageSize?: number | undefined;
}

/**
 * One page of a list (MCP 2025-11-25, Server / Utilities / Pagination). A cursor stays valid while
 * items are added and removed, as long as its own item remains.
 * @throws RpcError -32602 for a cursor that is not in the list
 */
export function pageOf<T>(all: readonly T[], options: PageOptions<T>): ListPage<T> {
  const { keyOf, cursor, pageSize = all.length } = options;
  let start = 0;
  if (cursor !== undefined && cursor !== null) {
    start = all.findIndex((item) => keyOf(item) === cursor) + 1;
    if (start === 0) throw invalidParams(`cursor: not in this list, got ${describeValue(cursor)}`);
  }
  const items = all.slice(start, start + pageSize);
  const last = items.at(-1);
  const isLast = last === undefined || start + items.length >= all.length;
  return isLast ? { items } : { items, nextCursor: keyOf(last) };
}
