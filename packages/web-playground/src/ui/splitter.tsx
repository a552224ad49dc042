import { useLayoutEffect } from "preact/hooks";
import { Lazy } from "./lazy.tsx";
import { applySize, type SplitterProps, sizeOf } from "./pane-size.ts";

const movable = () => import("./movable-splitter.tsx").then((each) => each.MovableSplitter);

/** A border between two panes, which can be moved when the page is idle. */
export function Splitter(props: SplitterProps) {
  const size = sizeOf(props);
  useLayoutEffect(() => applySize(props), [size]);
  const line = <div class={`splitter ${props.axis}`} />;
  return <Lazy load={movable} props={props} fallback={line} />;
}
