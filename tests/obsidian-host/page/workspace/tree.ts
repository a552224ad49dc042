import { Events } from "../obsidian/events.ts";
import {
  WorkspaceContainer,
  type WorkspaceFloating,
  WorkspaceParent,
  type WorkspaceRoot,
  type WorkspaceSidedock,
} from "./items.ts";
import { WorkspaceLeaf } from "./leaf.ts";
import type { WorkspaceWindow } from "./popout.ts";

/** The leaves of a workspace, and the searches among them. */
export abstract class WorkspaceTree extends Events {
  abstract readonly leftSplit: WorkspaceSidedock;
  abstract readonly rightSplit: WorkspaceSidedock;
  abstract readonly rootSplit: WorkspaceRoot;
  abstract readonly floatingSplit: WorkspaceFloating;

  getLeafById(id: string): WorkspaceLeaf | null {
    return this.leaves().find((leaf) => leaf.id === id) ?? null;
  }

  getMostRecentLeaf(root: WorkspaceParent = this.rootSplit): WorkspaceLeaf | null {
    const leaves = this.leaves().filter((leaf) => leaf.getRoot() === root);
    return leaves.sort((a, b) => b.activeTime - a.activeTime)[0] ?? null;
  }

  iterateRootLeaves(emit: (leaf: WorkspaceLeaf) => unknown): void {
    for (const leaf of this.leaves()) if (leaf.getRoot() instanceof WorkspaceContainer) emit(leaf);
  }

  iterateAllLeaves(emit: (leaf: WorkspaceLeaf) => unknown): void {
    for (const leaf of this.leaves()) emit(leaf);
  }

  getLeavesOfType(type: string): WorkspaceLeaf[] {
    return this.leaves().filter((leaf) => leaf.view.getViewType() === type);
  }

  detachLeavesOfType(type: string): void {
    for (const leaf of this.getLeavesOfType(type)) leaf.detach();
  }

  popouts(): WorkspaceWindow[] {
    return this.floatingSplit.children as WorkspaceWindow[];
  }

  protected leaves(): WorkspaceLeaf[] {
    const found: WorkspaceLeaf[] = [];
    const visit = (item: unknown) => {
      if (item instanceof WorkspaceLeaf) found.push(item);
      else if (item instanceof WorkspaceParent) for (const child of item.children) visit(child);
    };
    for (const part of [this.rootSplit, this.leftSplit, this.rightSplit, this.floatingSplit])
      visit(part);
    return found;
  }
}
