import { CommandScope } from "../commands/use-command.ts";
import { EditorPane } from "../editor/editor-pane.tsx";
import { FramePane } from "../frame/frame-pane.tsx";
import { Guide } from "../page/guide.tsx";
import { TopBar } from "../page/top-bar.tsx";
import { frameSplitter } from "../page/workbench.tsx";
import { usePage } from "../state/page-context.ts";
import { ForeignText } from "../ui/foreign-text.tsx";
import { PanelLeft, PanelRight } from "../ui/icons.ts";
import type { SplitterProps } from "../ui/pane-size.ts";
import { PaneToggle } from "../ui/pane-toggle.tsx";
import { Splitter } from "../ui/splitter.tsx";
import { WirePane } from "../wire/wire-pane.tsx";
import { AgentsPane } from "./agents-pane.tsx";
import { LiveBar } from "./live-bar.tsx";
import { EditorHead, FilesPane } from "./live-files.tsx";
import { LiveGuide } from "./live-guide.tsx";
import { folderOf } from "./page-folder.ts";
import { StartCard } from "./start-card.tsx";
import { isTraceShown } from "./trace-panel.ts";

/** The folder's editor: files, text and reviews, and the agents beside them; the trace on request. */
export function FolderPage() {
  const { model, view } = usePage();
  const live = folderOf(model);
  if (live === undefined) return null;
  const isTraced = isTraceShown(view);
  const files: SplitterProps = {
    ...{ axis: "x", name: "--files-width", label: "Width of the files" },
    start: Math.max(150, Math.min(240, innerWidth * 0.17)),
  };
  const agents: SplitterProps = {
    ...{ axis: "x", name: "--agents-width", label: "Width of the agents", end: true },
    start: Math.max(180, Math.min(300, innerWidth * 0.21)),
  };
  return (
    <>
      <TopBar title={<ForeignText text={live.name || "idewire"} />}>
        <LiveBar live={live} />
        <PaneToggle pane="files" icon={PanelLeft} splitter={files} />
        <PaneToggle pane="agents" icon={PanelRight} splitter={agents} />
      </TopBar>
      <main class="folder-page" data-shown={view.pane.value}>
        <FilesPane live={live} />
        <Splitter {...files} />
        <EditorPane head={<EditorHead live={live} />} start={<StartCard live={live} />} />
        <Splitter {...agents} />
        <AgentsPane live={live} />
        {isTraced && <TracePanel />}
      </main>
      <Guide still={!isTraced}>
        <LiveGuide live={live} />
      </Guide>
    </>
  );
}

/** The frames, and one of them. */
function TracePanel() {
  return (
    <>
      <Splitter
        axis="y"
        name="--trace-height"
        label="Height of the trace"
        start={innerHeight * 0.4}
      />
      <CommandScope.Provider value="Trace">
        <section class="trace-panel" aria-label="Trace" id="trace">
          <WirePane />
          <Splitter {...frameSplitter(Math.min(360, innerWidth * 0.29))} />
          <FramePane />
        </section>
      </CommandScope.Provider>
    </>
  );
}
