import type { ComponentChildren } from "preact";
import { FramePane } from "../frame/frame-pane.tsx";
import { usePage } from "../state/page-context.ts";
import { Splitter } from "../ui/splitter.tsx";
import { WirePane } from "../wire/wire-pane.tsx";
import { Guide } from "./guide.tsx";
import { TopBar } from "./top-bar.tsx";

interface WorkbenchProps {
  /** The title; the playground's if left out. */
  readonly title?: string;
  /** The content of the top bar. */
  readonly bar: ComponentChildren;
  /** What to do next. */
  readonly words: ComponentChildren;
  /** Both ends. */
  readonly children: ComponentChildren;
}

/** Both ends, the wire between them and one frame, side by side. */
export function Workbench({ title, bar, words, children }: WorkbenchProps) {
  const third = innerWidth * 0.29;
  return (
    <>
      <TopBar {...(title !== undefined && { title })}>{bar}</TopBar>
      <main class="panes" data-shown={usePage().view.pane.value}>
        <div class="column left">{children}</div>
        <Splitter
          {...{ axis: "x", name: "--left-width", label: "Width of the editor" }}
          start={Math.min(400, third)}
        />
        <WirePane />
        <FrameSplitter start={Math.min(360, third)} />
        <FramePane />
      </main>
      <Guide>{words}</Guide>
    </>
  );
}

/** Between the wire and one frame of it. */
export function FrameSplitter({ start }: { readonly start: number }) {
  return (
    <Splitter {...{ axis: "x", name: "--frame-width", label: "Width of the frame", start }} end />
  );
}
