import { describeValue } from "../../rpc/message.ts";
import { invalidParams } from "../refusals.ts";

/** A part of a list, and how to ask for the next. */
export interface ListPage<T> {
  readonly items: readonly T[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
}

/** How a list is cut. */
export interface PageOptions<T> {
  /** What names an item: the cursor is the name of the last one that was sent. */
  readonly keyOf: (item: T) => string;
  /** As the client sent it. */
  readonly cursor: unknown;
  /** Everything on one page when left out. */
  readonly pageSize?: number | undefined;
}

/**
 * One page of a list (MCP 2025-11-25, Server / Utilities / Pagination). A cursor stays right while
 * items come and go, unless its own does.
 * @throws RpcError -32602 for a cursor that is not of this list
 */
export function pageOf<T>(all: readonly T[], options: PageOptions<T>): ListPage<T> {
  const { keyOf, cursor, pageSize = all.length } = options;
  let start = 0;
  if (cursor !== undefined && cursor !== null) {
    start = all.findIndex((item) => keyOf(item) === cursor) + 1;
    if (start === 0) throw invalidParams(`cursor: not of this list, got ${describeValue(cursor)}`);
  }
  const items = all.slice(start, start + pageSize);
  const last = items.at(-1);
  const isLast = last === undefined || start + items.length >= all.length;
  return isLast ? { items } : { items, nextCursor: keyOf(last) };
}
