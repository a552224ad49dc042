import { useEffect } from "preact/hooks";
import { AgentPane } from "../agent/agent-pane.tsx";
import { EditorPane } from "../editor/editor-pane.tsx";
import { FramePane } from "../frame/frame-pane.tsx";
import { CurrentPage, type PageContext } from "../state/page-context.ts";
import { Later } from "../ui/later.tsx";
import { Splitter } from "../ui/splitter.tsx";
import { WirePane } from "../wire/wire-pane.tsx";
import { Guide } from "./guide.tsx";
import { listenForKeys } from "./keys.ts";
import { TopBar } from "./top-bar.tsx";

// What a newcomer does not need at once is not loaded at once.
const faults = () => import("./dialogs.ts").then(({ FaultsDialog }) => FaultsDialog);
const share = () => import("./dialogs.ts").then(({ ShareDialog }) => ShareDialog);
const doctor = () => import("../live/views.ts").then(({ DoctorDialog }) => DoctorDialog);
const ends = () => import("../inspect/views.ts").then(({ InspectPane }) => InspectPane);
const palette = () => import("./dialogs.ts").then(({ CommandPalette }) => CommandPalette);

/** The whole page. */
export function App({ page }: { readonly page: PageContext }) {
  useEffect(() => listenForKeys(page), [page]);
  const { view, model } = page;
  const looksOn = model.kind.value === "live" && model.inspector !== undefined;
  return (
    <CurrentPage.Provider value={page}>
      <TopBar />
      <main class="panes" data-shown={view.pane.value}>
        <div class="column left">
          {looksOn ? (
            <Later load={ends} />
          ) : (
            <>
              <EditorPane />
              <Splitter axis="y" name="--agent-height" label="Height of the agent" start={220} />
              <AgentPane />
            </>
          )}
        </div>
        <Splitter
          axis="x"
          name="--left-width"
          label="Width of the editor"
          start={Math.min(440, innerWidth * 0.29)}
        />
        <WirePane />
        <Splitter
          axis="x"
          name="--frame-width"
          label="Width of the frame"
          start={Math.min(400, innerWidth * 0.29)}
          end
        />
        <FramePane />
      </main>
      <Guide />
      {view.dialog.value === "faults" && <Later load={faults} />}
      {view.dialog.value === "share" && <Later load={share} />}
      {view.dialog.value === "doctor" && <Later load={doctor} />}
      {view.palette.value && <Later load={palette} />}
    </CurrentPage.Provider>
  );
}
