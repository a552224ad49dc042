import type { App } from "../obsidian/app.ts";
import type { WorkspaceLeaf } from "../workspace/leaf.ts";
import { openMenus } from "./menu.ts";
import { openModals } from "./modal.ts";
import { forgetNotices } from "./notice.ts";

/** Closes everything that is open, as a person could: menus, windows, tabs and notices. */
export function clearScreen({ workspace }: App): void {
  for (const menu of [...openMenus]) menu.hide();
  for (const modal of [...openModals]) modal.close();
  const old: WorkspaceLeaf[] = [];
  workspace.iterateAllLeaves((leaf) => old.push(leaf));
  const isTheApps = (leaf: WorkspaceLeaf) => leaf.view.getViewType() === "file-explorer";
  for (const leaf of old.filter((each) => !isTheApps(each))) leaf.detach();
  forgetNotices();
}
