import { useRef, useState } from "preact/hooks";
import { resizePane, type SplitterProps } from "./pane-size.ts";

/** A border that the pointer or the arrow keys move. */
export function MovableSplitter(props: SplitterProps) {
  const { axis, name, label, start, end = axis === "y" } = props;
  const [size, setSize] = useState(Math.round(start));
  const drag = useRef<{ readonly from: number; readonly size: number } | undefined>(undefined);
  const resize = (next: number): void => {
    const kept = Math.round(Math.max(0, Math.min(next, 1200)));
    setSize(kept);
    resizePane(name, kept);
  };
  const at = (event: PointerEvent): number => (axis === "x" ? event.clientX : event.clientY);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a border that moves is no <hr>
    <div
      class={`splitter ${axis}`}
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={axis === "x" ? "vertical" : "horizontal"}
      aria-valuenow={size}
      aria-valuemin={0}
      aria-valuemax={1200}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { from: at(event), size };
      }}
      onPointerMove={(event) => {
        if (drag.current === undefined) return;
        const moved = at(event) - drag.current.from;
        resize(drag.current.size + (end ? -moved : moved));
      }}
      onPointerUp={() => {
        drag.current = undefined;
      }}
      onDblClick={() => resize(size === 0 ? Math.round(start) : 0)}
      onKeyDown={(event) => {
        const back = axis === "x" ? "ArrowLeft" : "ArrowUp";
        const forth = axis === "x" ? "ArrowRight" : "ArrowDown";
        if (event.key !== back && event.key !== forth && event.key !== "Enter") return;
        event.preventDefault();
        if (event.key === "Enter") return resize(size === 0 ? Math.round(start) : 0);
        const step = event.key === forth ? 24 : -24;
        resize(size + (end ? -step : step));
      }}
    />
  );
}
