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
const dialogs = {
  faults: () => import("./dialogs.ts").then(({ FaultsDialog }) => FaultsDialog),
  share: () => import("./dialogs.ts").then(({ ShareDialog }) => ShareDialog),
  doctor: () => import("../live/views.ts").then(({ DoctorDialog }) => DoctorDialog),
};
const inspection = () => import("../inspect/views.ts").then(({ InspectPane }) => InspectPane);
const palette = () => import("./dialogs.ts").then(({ CommandPalette }) => CommandPalette);

/** The whole page. */
export function App({ page }: { readonly page: PageContext }) {
  useEffect(() => listenForKeys(page), [page]);
  const { view, model } = page;
  const dialog = view.dialog.value;
  const third = innerWidth * 0.29;
  return (
    <CurrentPage.Provider value={page}>
      <TopBar />
      <main class="panes" data-shown={view.pane.value}>
        <div class="column left">
          {model.kind.value === "live" && model.inspector !== undefined ? (
            <Later load={inspection} />
          ) : (
            <>
              <EditorPane />
              <Splitter axis="y" name="--agent-height" label="Height of the agent" start={220} />
              <AgentPane />
            </>
          )}
        </div>
        <Splitter
          {...{ axis: "x", name: "--left-width", label: "Width of the editor" }}
          start={Math.min(440, third)}
        />
        <WirePane />
        <Splitter
          {...{ axis: "x", name: "--frame-width", label: "Width of the frame", end: true }}
          start={Math.min(400, third)}
        />
        <FramePane />
      </main>
      <Guide />
      {dialog !== undefined && <Later key={dialog} load={dialogs[dialog]} />}
      {view.palette.value && <Later load={palette} />}
    </CurrentPage.Provider>
  );
}
