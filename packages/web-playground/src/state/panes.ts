import type { PageModel } from "../state/page-model.ts";
import type { PaneName } from "../state/view-state.ts";

/** The panes; in an inspection, the first shows both peers. */
export function panesOf({ inspector }: PageModel): readonly PaneName[] {
  return inspector === undefined
    ? ["editor", "agent", "wire", "frame"]
    : ["editor", "wire", "frame"];
}

export function titleOf(pane: PaneName, { inspector }: PageModel): string {
  if (inspector !== undefined && pane === "editor") return "Peers";
  return pane.charAt(0).toUpperCase() + pane.slice(1);
}
