import type { State } from "../view/view.ts";
import { type WorkspaceParent, WorkspaceSplit } from "./items.ts";
import { WorkspaceLeaf } from "./leaf.ts";
import type { WorkspaceWindow } from "./popout.ts";
import { WorkspaceTabs } from "./tabs.ts";
import type { Workspace } from "./workspace.ts";

interface SavedLeaf {
  readonly type: "leaf";
  readonly id: string;
  readonly state: { readonly type: string; readonly state?: State; readonly pinned?: boolean };
}

interface SavedTabs {
  readonly type: "tabs";
  readonly currentTab: number;
  readonly children: readonly SavedLeaf[];
}

interface SavedSplit {
  readonly type: "split";
  readonly direction: "vertical" | "horizontal";
  readonly children: readonly (SavedSplit | SavedTabs)[];
}

export interface Layout {
  readonly main: SavedSplit;
  readonly left?: SavedSplit;
  readonly right?: SavedSplit;
  readonly windows?: readonly SavedSplit[];
  readonly active?: string;
}

export function writeLayout(workspace: Workspace): Layout {
  const { rootSplit, leftSplit, rightSplit, floatingSplit, activeLeaf } = workspace;
  return {
    main: saveSplit(rootSplit),
    left: saveSplit(leftSplit),
    right: saveSplit(rightSplit),
    windows: (floatingSplit.children as WorkspaceWindow[]).map(saveSplit),
    ...(activeLeaf && { active: activeLeaf.id }),
  };
}

function saveSplit(split: WorkspaceSplit): SavedSplit {
  const children = split.children.map((child) =>
    child instanceof WorkspaceTabs ? saveTabs(child) : saveSplit(child as WorkspaceSplit),
  );
  return { type: "split", direction: split.direction, children };
}

function saveTabs(tabs: WorkspaceTabs): SavedTabs {
  const leaves = tabs.children as WorkspaceLeaf[];
  const children = leaves.map(
    (leaf): SavedLeaf => ({ type: "leaf", id: leaf.id, state: leaf.getViewState() }),
  );
  return { type: "tabs", currentTab: tabs.currentTab, children };
}

/** Restores the open tabs; those in the background hold a placeholder until they are shown. */
export async function readLayout(workspace: Workspace, layout: Layout): Promise<void> {
  await readSplit(workspace, workspace.rootSplit, layout.main);
  if (layout.left) await readSplit(workspace, workspace.leftSplit, layout.left);
  if (layout.right) await readSplit(workspace, workspace.rightSplit, layout.right);
  for (const saved of layout.windows ?? []) {
    const popout = workspace.openWindow();
    await readSplit(workspace, popout, saved);
    workspace.trigger("window-open", popout, popout.win);
  }
  const active = layout.active === undefined ? null : workspace.getLeafById(layout.active);
  if (active !== null) workspace.setActiveLeaf(active);
}

async function readSplit(
  workspace: Workspace,
  parent: WorkspaceSplit,
  saved: SavedSplit,
): Promise<void> {
  parent.direction = saved.direction;
  for (const child of saved.children) {
    if (child.type === "split") {
      const split = new WorkspaceSplit(workspace, child.direction);
      parent.appendChild(split);
      await readSplit(workspace, split, child);
    } else await readTabs(workspace, parent, child);
  }
}

async function readTabs(
  workspace: Workspace,
  parent: WorkspaceParent,
  saved: SavedTabs,
): Promise<void> {
  const tabs = new WorkspaceTabs(workspace);
  parent.appendChild(tabs);
  for (const { id } of saved.children) {
    const leaf = new WorkspaceLeaf(workspace.app, workspace);
    leaf.id = id;
    tabs.appendChild(leaf);
  }
  tabs.currentTab = saved.currentTab;
  for (const [index, { state }] of saved.children.entries()) {
    const leaf = tabs.children[index] as WorkspaceLeaf;
    if (index === saved.currentTab) await leaf.setViewState({ ...state, active: false });
    else await leaf.defer({ ...state });
  }
  tabs.update();
}
