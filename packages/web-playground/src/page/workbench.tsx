import type { ComponentChildren } from "preact";
import { FramePane } from "../frame/frame-pane.tsx";
import { usePage } from "../state/page-context.ts";
import { titleOf } from "../state/panes.ts";
import { PanelLeft, PanelRight } from "../ui/icons.ts";
import type { SplitterProps } from "../ui/pane-size.ts";
import { PaneToggle } from "../ui/pane-toggle.tsx";
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
  const { model, view } = usePage();
  const third = innerWidth * 0.29;
  const left: SplitterProps = {
    ...{ axis: "x", name: "--left-width", label: "Width of the editor" },
    start: Math.min(440, third),
  };
  const frame = frameSplitter(Math.min(336, third));
  return (
    <>
      <TopBar {...(title !== undefined && { title })}>
        {bar}
        <PaneToggle
          pane={titleOf("editor", model).toLowerCase()}
          icon={PanelLeft}
          splitter={left}
        />
        <PaneToggle pane="frame" icon={PanelRight} splitter={frame} />
      </TopBar>
      <main class="panes" data-shown={view.pane.value}>
        <div class="column left">{children}</div>
        <Splitter {...left} />
        <WirePane />
        <Splitter {...frame} />
        <FramePane />
      </main>
      <Guide>{words}</Guide>
    </>
  );
}

/** Between the wire and one frame of it. */
export function frameSplitter(start: number): SplitterProps {
  return { axis: "x", name: "--frame-width", label: "Width of the frame", start, end: true };
}
