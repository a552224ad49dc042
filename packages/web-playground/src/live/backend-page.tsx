import { usePage } from "../state/page-context.ts";
import { Lazy } from "../ui/lazy.tsx";
import { FolderPage } from "./folder-page.tsx";
import { FIRST_COMMAND } from "./live-guide.tsx";
import { folderOf } from "./page-folder.ts";
import { RefusedPage } from "./refused.tsx";

const inspection = () => import("../inspect/views.ts").then(({ InspectPage }) => InspectPage);

/** The page of the backend: a folder or an inspection. */
export function BackendPage() {
  const { model } = usePage();
  if (model.inspector !== undefined) return <Lazy load={inspection} />;
  const live = folderOf(model);
  if (live?.link.status.value !== "refused" || live.folder.value !== "") return <FolderPage />;
  return (
    <RefusedPage
      words={live.link.words.value}
      way="type page and press Enter"
      runs="idewire serve"
      command={FIRST_COMMAND}
    />
  );
}
