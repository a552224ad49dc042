import type { App } from "../host-app.ts";
import { setActiveWindow } from "./active.ts";
import {
  type Owner,
  WorkspaceContainer,
  type WorkspaceParent,
  type WorkspaceSidedock,
  WorkspaceSplit,
} from "./items.ts";
import { WorkspaceLeaf } from "./leaf.ts";
import { type WindowData, WorkspaceWindow } from "./popout.ts";
import { WorkspaceTabs } from "./tabs.ts";
import { WorkspaceTree } from "./tree.ts";
import type { Workspace } from "./workspace.ts";

type PaneType = "tab" | "split" | "window";
type Direction = "vertical" | "horizontal";

/** Where a leaf comes to be: beside another, in a tab, at a side, in a window. */
export abstract class WorkspacePanes extends WorkspaceTree implements Owner {
  abstract readonly app: App;
  abstract activeLeaf: WorkspaceLeaf | null;

  abstract changed(): void;
  abstract emptied(parent: WorkspaceParent): void;
  abstract setActiveLeaf(leaf: WorkspaceLeaf, params: { focus?: boolean }): void;
  protected abstract windowClosed(popout: WorkspaceWindow): void;

  createLeafInParent(parent: WorkspaceSplit, index: number): WorkspaceLeaf {
    const tabs = new WorkspaceTabs(this);
    parent.insertChild(index, tabs);
    return this.#leafIn(tabs);
  }

  createLeafBySplit(
    leaf: WorkspaceLeaf,
    direction: Direction = "vertical",
    before = false,
  ): WorkspaceLeaf {
    const tabs = new WorkspaceTabs(this);
    const beside = leaf.parent as WorkspaceTabs;
    const parent = beside.parent as WorkspaceSplit;
    if (parent.direction === direction) {
      parent.insertChild(parent.children.indexOf(beside) + (before ? 0 : 1), tabs);
    } else {
      const split = new WorkspaceSplit(this, direction);
      parent.replaceChild(beside, split);
      split.appendChild(beside);
      split.insertChild(before ? 0 : 1, tabs);
    }
    return this.#leafIn(tabs);
  }

  splitActiveLeaf(direction?: Direction): WorkspaceLeaf {
    return this.createLeafBySplit(this.#rootLeaf(), direction);
  }

  async duplicateLeaf(
    leaf: WorkspaceLeaf,
    type: PaneType | boolean | Direction = "split",
  ): Promise<WorkspaceLeaf> {
    const pane = type === "vertical" || type === "horizontal" ? "split" : type;
    const copy = this.getLeaf(pane, type === "horizontal" ? "horizontal" : "vertical");
    await copy.setViewState(leaf.getViewState());
    return copy;
  }

  getUnpinnedLeaf(): WorkspaceLeaf {
    const leaf = this.#rootLeaf();
    const isStatic = !leaf.view.navigation && leaf.view.getViewType() !== "empty";
    return leaf.pinned || isStatic ? this.#leafIn(leaf.parent as WorkspaceTabs) : leaf;
  }

  getLeaf(newLeaf: PaneType | boolean = false, direction?: Direction): WorkspaceLeaf {
    if (newLeaf === false) return this.getUnpinnedLeaf();
    if (newLeaf === "window") return this.openPopoutLeaf();
    if (newLeaf === "split") return this.splitActiveLeaf(direction);
    const leaf = this.#rootLeaf();
    return leaf.view.getViewType() === "empty" ? leaf : this.#leafIn(leaf.parent as WorkspaceTabs);
  }

  openPopoutLeaf(data?: WindowData): WorkspaceLeaf {
    const popout = this.openWindow(data);
    const leaf = this.createLeafInParent(popout, 0);
    this.trigger("window-open", popout, popout.win);
    return leaf;
  }

  moveLeafToPopout(leaf: WorkspaceLeaf, data?: WindowData): WorkspaceWindow {
    const popout = this.openWindow(data);
    const tabs = new WorkspaceTabs(this);
    leaf.parent?.removeChild(leaf);
    popout.appendChild(tabs);
    tabs.appendChild(leaf);
    this.trigger("window-open", popout, popout.win);
    this.setActiveLeaf(leaf, { focus: true });
    return popout;
  }

  openWindow(data?: WindowData): WorkspaceWindow {
    const popout = new WorkspaceWindow(this, data);
    this.floatingSplit.appendChild(popout);
    popout.win.addEventListener("focus", () => setActiveWindow(popout.win));
    popout.closed = () => this.windowClosed(popout);
    return popout;
  }

  getLeftLeaf(split: boolean): WorkspaceLeaf | null {
    return this.sideLeaf(this.leftSplit, split);
  }

  getRightLeaf(split: boolean): WorkspaceLeaf | null {
    return this.sideLeaf(this.rightSplit, split);
  }

  #leafIn(tabs: WorkspaceTabs): WorkspaceLeaf {
    const leaf = new WorkspaceLeaf(this.app, this as unknown as Workspace);
    tabs.insertChild(tabs.children.length === 0 ? 0 : tabs.currentTab + 1, leaf);
    tabs.selectTab(leaf);
    return leaf;
  }

  protected sideLeaf(dock: WorkspaceSidedock, split: boolean): WorkspaceLeaf {
    const [tabs] = dock.children;
    return split || !(tabs instanceof WorkspaceTabs)
      ? this.createLeafInParent(dock, dock.children.length)
      : this.#leafIn(tabs);
  }

  #rootLeaf(): WorkspaceLeaf {
    const { activeLeaf } = this;
    if (activeLeaf?.getRoot() instanceof WorkspaceContainer) return activeLeaf;
    return this.getMostRecentLeaf() ?? this.createLeafInParent(this.rootSplit, 0);
  }
}
