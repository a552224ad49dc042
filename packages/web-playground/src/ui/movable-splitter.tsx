import { useRef } from "preact/hooks";
import { resizePane, type SplitterProps, sizeOf, togglePane } from "./pane-size.ts";

/** A border that the pointer or the arrow keys move. */
export function MovableSplitter(props: SplitterProps) {
  const { axis, name, label, end = axis === "y" } = props;
  const size = sizeOf(props);
  const drag = useRef<{ readonly from: number; readonly size: number } | undefined>(undefined);
  const resize = (px: number): void => resizePane(name, px);
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
      onDblClick={() => togglePane(props)}
      onKeyDown={(event) => {
        const back = axis === "x" ? "ArrowLeft" : "ArrowUp";
        const forth = axis === "x" ? "ArrowRight" : "ArrowDown";
        if (event.key !== back && event.key !== forth && event.key !== "Enter") return;
        event.preventDefault();
        if (event.key === "Enter") return togglePane(props);
        const step = event.key === forth ? 24 : -24;
        resize(size + (end ? -step : step));
      }}
    />
  );
}
