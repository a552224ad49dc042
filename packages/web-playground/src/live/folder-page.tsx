import { CommandScope } from "../commands/use-command.ts";
import { EditorPane } from "../editor/editor-pane.tsx";
import { FramePane } from "../frame/frame-pane.tsx";
import { Guide } from "../page/guide.tsx";
import { TopBar } from "../page/top-bar.tsx";
import { FrameSplitter } from "../page/workbench.tsx";
import { usePage } from "../state/page-context.ts";
import { ForeignText } from "../ui/foreign-text.tsx";
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
  return (
    <>
      <TopBar title={<ForeignText text={live.name || "idewire"} />}>
        <LiveBar live={live} />
      </TopBar>
      <main class="folder-page" data-shown={view.pane.value}>
        <FilesPane live={live} />
        <EditorPane head={<EditorHead live={live} />} start={<StartCard live={live} />} />
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
          <FrameSplitter start={Math.min(400, innerWidth * 0.35)} />
          <FramePane />
        </section>
      </CommandScope.Provider>
    </>
  );
}
