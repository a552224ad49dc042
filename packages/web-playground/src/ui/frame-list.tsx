import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useParts } from "./parts.ts";

/** The height of a row. */
export const ROW = 24;

/** One row: the number of its event. */
export interface ListedEvent {
  readonly n: number;
}

/** What a row is told of its place. */
export interface RowPlace {
  readonly index: number;
  readonly selected: boolean;
  /** It belongs to the chosen one: its pair, its cause, its effect. */
  readonly related: boolean;
}

interface FrameListProps<Row extends ListedEvent> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly draw: (row: Row, place: RowPlace) => ComponentChildren;
  /** What lies behind the rows that are drawn, from one index to another. */
  readonly behind?: (from: number, to: number) => ComponentChildren;
}

/** Rows of one height, of which only those are drawn that can be seen; newest at the bottom. */
export function FrameList<Row extends ListedEvent>(props: FrameListProps<Row>) {
  const { label, rows, draw, behind } = props;
  const { view, session } = useParts();
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  const [follows, setFollows] = useState(true);
  const selected = view.selected.value;
  useEffect(() => {
    const element = list.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (follows) list.current?.scrollTo(0, rows.length * ROW);
  }, [rows.length, follows]);
  const from = Math.max(0, Math.floor(top / ROW) - 8);
  const to = Math.min(rows.length, Math.ceil((top + height) / ROW) + 8);
  const choose = (index: number): void => {
    const place = Math.max(0, Math.min(rows.length - 1, index));
    const row = rows[place];
    if (row === undefined || list.current === null) return;
    view.show(row.n);
    if (place * ROW < list.current.scrollTop) list.current.scrollTop = place * ROW;
    const bottom = list.current.scrollTop + list.current.clientHeight;
    if (place * ROW + ROW > bottom) list.current.scrollTop += place * ROW + ROW - bottom;
  };
  const chosen = selected === undefined ? -1 : indexOf(rows, selected);
  const related = relatedTo(selected, session);
  return (
    <>
      <div
        class="wire-list"
        ref={list}
        role="listbox"
        tabIndex={0}
        aria-label={label}
        aria-activedescendant={chosen < from || chosen >= to ? undefined : `frame-${selected}`}
        onScroll={({ currentTarget }) => {
          setTop(currentTarget.scrollTop);
          const rest =
            currentTarget.scrollHeight - currentTarget.scrollTop - currentTarget.clientHeight;
          setFollows(rest < ROW * 2);
        }}
        onKeyDown={(event) => {
          const page = Math.max(1, Math.floor(height / ROW) - 1);
          const index = {
            ArrowDown: chosen + 1,
            ArrowUp: chosen - 1,
            Home: 0,
            End: rows.length - 1,
            PageDown: chosen + page,
            PageUp: chosen - page,
          }[event.key];
          if (index !== undefined) {
            event.preventDefault();
            choose(index);
          }
          if (event.key === "Enter" && selected !== undefined) view.pane.value = "frame";
        }}
      >
        <div class="wire-rows" style={{ height: `${rows.length * ROW}px` }} role="presentation">
          {behind?.(from, to)}
          {rows.slice(from, to).map((row, at) =>
            draw(row, {
              index: from + at,
              selected: row.n === selected,
              related: related.has(row.n),
            }),
          )}
        </div>
      </div>
      {!follows && (
        <button type="button" class="newest" onClick={() => setFollows(true)}>
          Newest
        </button>
      )}
    </>
  );
}

/** The rows are in the order of their numbers. */
function indexOf(rows: readonly ListedEvent[], n: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.n ?? 0) < n) low = middle + 1;
    else high = middle;
  }
  return rows[low]?.n === n ? low : -1;
}

/** What the chosen frame answers, what answers it, and what brought it about. */
function relatedTo(
  n: number | undefined,
  { index, log }: ReturnType<typeof useParts>["session"],
): ReadonlySet<number> {
  if (n === undefined) return new Set();
  const found = [index.of(n)?.pair, log.at(n)?.by];
  for (const event of log.events.slice(Math.max(0, n - log.dropped), n - log.dropped + 200)) {
    if (event.by === n) found.push(event.n);
  }
  return new Set(found.filter((one) => one !== undefined));
}
