import { useEffect, useState } from "preact/hooks";

/** The height of a row of files in pixels, as the style sheet has it. */
export const FILE_ROW_PX = 24;
/** Rows that are drawn above and below those in view. */
const MORE = 8;

/** The rows of a long list that are drawn. */
export interface VisibleRows {
  readonly from: number;
  /** Not included. */
  readonly to: number;
  /** Scrolls a row into view. */
  reveal(index: number): void;
}

/** Finds the rows of one height that are in view, of the element that scrolls them. */
export function useVisibleRows(
  box: { readonly current: HTMLElement | null },
  { count, rowPx }: { readonly count: number; readonly rowPx: number },
): VisibleRows {
  const [view, setView] = useState({ top: 0, height: 600 });
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const look = (): void => setView({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, []);
  const first = Math.floor(Math.min(view.top, count * rowPx) / rowPx);
  return {
    from: Math.max(0, first - MORE),
    to: Math.min(count, first + Math.ceil(view.height / rowPx) + MORE),
    reveal(index) {
      const element = box.current;
      if (element === null) return;
      const [top, bottom] = [index * rowPx, (index + 1) * rowPx];
      const { scrollTop, clientHeight } = element;
      if (top < scrollTop) element.scrollTop = top;
      else if (bottom > scrollTop + clientHeight) element.scrollTop = bottom - clientHeight;
    },
  };
}
