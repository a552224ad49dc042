import { useEffect, useState } from "preact/hooks";
import { usePage } from "../state/page-context.ts";
import type { ListedEvent, Rows } from "../state/rows.ts";
import { type DrawnRows, drawnRows, heightOfRows } from "../ui/visible-rows.ts";
import { useKeptPlace } from "./keep-place.ts";

interface FollowedList {
  readonly list: { readonly current: HTMLElement | null };
  readonly rows: Rows<ListedEvent>;
  /** The height of a row in pixels. */
  readonly rowPx: number;
  /** The index of the selected row; -1 if none is. */
  readonly chosen: number;
}

export interface FollowedRows extends DrawnRows {
  /** The visible height of the rows, in pixels. */
  readonly height: number;
  /** Whether the newest row is kept in view. */
  readonly follows: boolean;
  readonly follow: () => void;
  readonly onScroll: (list: HTMLElement) => void;
}

/** The drawn rows of a list that follows its end until the person scrolls away from it. */
export function useFollowedRows({ list, rows, rowPx, chosen }: FollowedList): FollowedRows {
  const { view, model } = usePage();
  const [scrolled, setScrolled] = useState(0);
  const [height, setHeight] = useState(600);
  const [follows, setFollows] = useState(true);
  useEffect(() => {
    const element = list.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setHeight(heightOfRows(element)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (follows) list.current?.scrollTo(0, rows.length * rowPx);
  }, [rows.length, follows, rowPx, height]);
  useEffect(() => {
    // Scrolls a frame that was selected elsewhere into view.
    const element = list.current;
    if (element === null || chosen === -1) return;
    const { scrollTop } = element;
    const shown = heightOfRows(element);
    if (chosen * rowPx >= scrollTop && (chosen + 1) * rowPx <= scrollTop + shown) return;
    setFollows(false);
    element.scrollTop = chosen * rowPx - shown / 2;
  }, [view.selected.value]);
  const top = useKeptPlace({ log: model.log, rows, rowPx, top: scrolled, follows }, (place) => {
    list.current?.scrollTo(0, place);
    setScrolled(place);
  });
  return {
    ...drawnRows({ top, height }, { count: rows.length, rowPx }),
    ...{ height, follows, follow: () => setFollows(true) },
    onScroll({ scrollHeight, scrollTop, clientHeight }) {
      setScrolled(scrollTop);
      const rest = scrollHeight - scrollTop - clientHeight;
      // A smaller list leaves its end without being scrolled.
      setFollows(rest < rowPx * 2 || (follows && scrollTop >= scrolled));
    },
  };
}
