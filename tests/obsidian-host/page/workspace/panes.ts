import type { App } from "../host-app.ts";
import { setActiveWindow } from "./active.ts";
import {
  type Owner,
  WorkspaceContainer,
  type WorkspaceParent,
  type WorkspaceSidedock,
  type WorkspaceSplit,
} from "./items.ts";
import { WorkspaceLeaf } from "./leaf.ts";
import { type WindowData, WorkspaceWindow } from "./popout.ts";
import { WorkspaceTabs } from "./tabs.ts";
import { WorkspaceTree } from "./tree.ts";
import type { Workspace } from "./workspace.ts";

type PaneType = "tab" | "split" | "window";
type Direction = "vertical" | "horizontal";

/** Where a new leaf is created: beside another, in a tab, at a side, in a window. */
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
    if (parent.direction !== direction) throw new Error("Nested splits are not in this host");
    parent.insertChild(parent.children.indexOf(beside) + (before ? 0 : 1), tabs);
    return this.#leafIn(tabs);
  }

  splitActiveLeaf(direction?: Direction): WorkspaceLeaf {
    return this.createLeafBySplit(this.#rootLeaf(), direction);
  }

  getUnpinnedLeaf(): WorkspaceLeaf {
    const leaf = this.#rootLeaf();
    const isStatic = !leaf.view.navigation && leaf.view.getViewType() !== "empty";
    return leaf.pinned || isStatic ? this.#leafIn(leaf.parent as WorkspaceTabs) : leaf;
  }

  getLeaf(newLeaf: PaneType | boolean = false, direction?: Direction): WorkspaceLeaf {
    if (newLeaf === false) return this.getUnpinnedLeaf();
    if (newLeaf === "window") throw new Error("getLeaf of a window is not in this host");
    if (newLeaf === "split") return this.splitActiveLeaf(direction);
    const leaf = this.#rootLeaf();
    return leaf.view.getViewType() === "empty" ? leaf : this.#leafIn(leaf.parent as WorkspaceTabs);
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
