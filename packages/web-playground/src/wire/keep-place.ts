import { firstFrom } from "@idewire/devtools/internal";
import type { EventLog } from "@idewire/devtools/trace";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { ListedEvent, Rows } from "../state/rows.ts";

/** A list and its scroll position. */
interface ScrolledList {
  readonly log: EventLog;
  readonly rows: Rows<ListedEvent>;
  readonly rowPx: number;
  readonly top: number;
  readonly follows: boolean;
}

/** The row at the top, and the number of the first row. */
interface TopRow {
  readonly log: EventLog;
  readonly first: number;
  readonly index: number;
  readonly n: number;
}

/**
 * When the oldest events are dropped, the visible rows stay where they are.
 * @returns the scroll position in pixels
 */
export function useKeptPlace(list: ScrolledList, scroll: (top: number) => void): number {
  const { log, rows, rowPx, top, follows } = list;
  const before = useRef<TopRow | undefined>(undefined);
  const { current } = before;
  // The log may be ahead of the rows; the rows only start later once it has dropped some.
  const first = rows.list[0]?.n ?? 0;
  const isLater = current !== undefined && current.first < first && current.first <= log.dropped;
  let now = top;
  if (isLater && current.log === log && !follows) {
    now = Math.max(0, top - (current.index - firstFrom(rows.list, current.n)) * rowPx);
  }
  const index = Math.floor(now / rowPx);
  before.current = { log, first, index, n: rows.list[index]?.n ?? log.last };
  useLayoutEffect(() => {
    if (now !== top) scroll(now);
  });
  return now;
}
