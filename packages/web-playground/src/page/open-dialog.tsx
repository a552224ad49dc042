import type { FunctionComponent } from "preact";
import { InspectorDialog } from "../commands/inspector-dialog.tsx";
import { KeysDialog } from "../commands/keys-dialog.tsx";
import { BreakpointDialog } from "../faults/breakpoint-dialog.tsx";
import { FaultsDialog } from "../faults/faults-dialog.tsx";
import { SearchDialog } from "../search/search-dialog.tsx";
import { ShareDialog } from "../share/share-dialog.tsx";
import { usePage } from "../state/page-context.ts";
import { type DialogName, type FolderDialogName, isOfFolder } from "../state/view-state.ts";
import { Lazy } from "../ui/lazy.tsx";
import { FiltersDialog } from "../wire/filters-dialog.tsx";

const analysis = () => import("./analysis.tsx").then(({ AnalysisDialog }) => AnalysisDialog);

const dialogs: Readonly<Record<Exclude<DialogName, FolderDialogName>, FunctionComponent>> = {
  breakpoint: BreakpointDialog,
  ...{ faults: FaultsDialog, filters: FiltersDialog, share: ShareDialog, keys: KeysDialog },
  search: SearchDialog,
  inspector: InspectorDialog,
  compare: () => <Lazy load={analysis} />,
  latency: () => <Lazy load={analysis} />,
  replay: () => <Lazy load={analysis} />,
  scenario: () => <Lazy load={analysis} />,
};

/** The dialog that is open. */
export function OpenDialog() {
  const name = usePage().view.dialog.value;
  if (name === undefined || isOfFolder(name)) return null;
  const Dialog = dialogs[name];
  return <Dialog key={name} />;
}
