import { useLayoutEffect } from "preact/hooks";
import { Lazy } from "./lazy.tsx";
import { resizePane, type SplitterProps } from "./pane-size.ts";

const movable = () => import("./movable-splitter.tsx").then((each) => each.MovableSplitter);

/** A border between two panes, which can be moved when the page is idle. */
export function Splitter(props: SplitterProps) {
  useLayoutEffect(() => resizePane(props.name, props.start), []);
  const line = <div class={`splitter ${props.axis}`} />;
  return <Lazy load={movable} props={props} fallback={line} />;
}
