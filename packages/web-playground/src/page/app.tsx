import { useEffect } from "preact/hooks";
import { AgentPane } from "../agent/agent-pane.tsx";
import { listenForKeys } from "../commands/keys.ts";
import { EditorPane } from "../editor/editor-pane.tsx";
import { FileTabs } from "../editor/file-tabs.tsx";
import { CurrentPage, type PageContext, usePage } from "../state/page-context.ts";
import { isOfFolder } from "../state/view-state.ts";
import { announceChanges } from "../state/waiting-changes.ts";
import { Lazy } from "../ui/lazy.tsx";
import { Splitter } from "../ui/splitter.tsx";
import { Toast } from "../ui/toast.tsx";
import { SimulationWords } from "./guide.tsx";
import { SimulationBar } from "./top-bar.tsx";
import { Workbench } from "./workbench.tsx";

// Not needed in the first view, so loaded later.
const dialogs = () => import("./dialogs.ts").then(({ OpenDialog }) => OpenDialog);
const ofFolder = () => import("../live/views.ts").then(({ FolderDialog }) => FolderDialog);
const changes = () =>
  import("../review/simulated-changes.tsx").then(({ SimulatedChanges }) => SimulatedChanges);
const dropTarget = () => import("./when-idle.ts").then(({ DropTarget }) => DropTarget);
const palette = () => import("./dialogs.ts").then(({ CommandPalette }) => CommandPalette);
const behind = () => import("../live/views.ts").then(({ BackendPage }) => BackendPage);

/** The whole page. */
export function App({ page }: { readonly page: PageContext }) {
  useEffect(() => listenForKeys(page), [page]);
  useEffect(() => announceChanges(page), [page]);
  const { view, model } = page;
  const dialog = view.dialog.value;
  return (
    <CurrentPage.Provider value={page}>
      <Lazy load={dropTarget} />
      {model.kind.value === "live" ? <Lazy load={behind} /> : <SimulationPage />}
      {dialog !== undefined && <Lazy key={dialog} load={isOfFolder(dialog) ? ofFolder : dialogs} />}
      {view.palette.value && <Lazy load={palette} />}
      <Toast />
    </CurrentPage.Provider>
  );
}

/** Both ends in this page, or a recorded log. */
function SimulationPage() {
  const { files } = usePage().model.state.value;
  return (
    <Workbench bar={<SimulationBar />} words={<SimulationWords />}>
      <EditorPane
        head={
          <>
            <Lazy load={changes} />
            <FileTabs label="Files" paths={[...files.keys()]} />
          </>
        }
      />
      <Splitter axis="y" name="--agent-height" label="Height of the agent" start={220} />
      <AgentPane />
    </Workbench>
  );
}
