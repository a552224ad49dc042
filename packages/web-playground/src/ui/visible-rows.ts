import { useEffect, useState } from "preact/hooks";

/** The height of a row of files in pixels, as the style sheet has it. */
export const FILE_ROW_PX = 24;
/** Rows that are drawn above and below those in view. */
const MORE = 8;

/** A list of rows of one height, in pixels. */
interface RowSizes {
  readonly count: number;
  readonly rowPx: number;
}

/** The rows of a long list that are drawn. */
export interface DrawnRows {
  readonly from: number;
  /** Not included. */
  readonly to: number;
}

export interface VisibleRows extends DrawnRows {
  /** Scrolls a row into view. */
  reveal(index: number): void;
}

/** Finds the rows of one height that are in view, of the element that scrolls them. */
export function useVisibleRows(
  box: { readonly current: HTMLElement | null },
  sizes: RowSizes,
): VisibleRows {
  const [view, setView] = useState({ top: 0, height: 600 });
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const look = (): void => setView({ top: element.scrollTop, height: heightOfRows(element) });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, []);
  return {
    ...drawnRows(view, sizes),
    reveal: (index) => revealRow(box.current, index, sizes.rowPx),
  };
}

/** The rows to draw at a scroll position and a visible height, in pixels. */
export function drawnRows(
  { top, height }: { readonly top: number; readonly height: number },
  { count, rowPx }: RowSizes,
): DrawnRows {
  const first = Math.floor(Math.min(top, count * rowPx) / rowPx);
  return {
    from: Math.max(0, first - MORE),
    to: Math.min(count, first + Math.ceil(height / rowPx) + MORE),
  };
}

/** Scrolls a list by as much as brings a row into view. */
export function revealRow(list: HTMLElement | null, index: number, rowPx: number): void {
  if (list === null) return;
  const [top, bottom, height] = [index * rowPx, (index + 1) * rowPx, heightOfRows(list)];
  if (top < list.scrollTop) list.scrollTop = top;
  else if (bottom > list.scrollTop + height) list.scrollTop = bottom - height;
}

/** The height of a list's rows in view, in pixels; its head stays above them. */
export function heightOfRows(list: HTMLElement): number {
  const head = list.querySelector<HTMLElement>(".wire-head");
  return list.clientHeight - (head?.offsetHeight ?? 0);
}
