import type { TFile, WorkspaceLeaf } from "obsidian";
import { FileView, MarkdownView, type Vault, type Workspace } from "obsidian";

/** A tab with a file in it. */
export interface FileLeaf {
  readonly leaf: WorkspaceLeaf;
  readonly file: TFile;
}

/** Every tab with a file, in all windows, including deferred tabs, which have no view yet. */
export function findFileLeaves(
  workspace: Pick<Workspace, "iterateAllLeaves">,
  vault: Pick<Vault, "getFileByPath">,
): readonly FileLeaf[] {
  const open: FileLeaf[] = [];
  workspace.iterateAllLeaves((leaf) => {
    const file = fileOf(leaf, vault);
    if (file !== undefined) open.push({ leaf, file });
  });
  return open;
}

function fileOf(leaf: WorkspaceLeaf, vault: Pick<Vault, "getFileByPath">): TFile | undefined {
  const { view } = leaf;
  if (view instanceof FileView) return view.file ?? undefined;
  if (!leaf.isDeferred) return undefined;
  const path = leaf.getViewState().state?.["file"];
  return typeof path === "string" ? (vault.getFileByPath(path) ?? undefined) : undefined;
}

/** Whether the tab is visible: in front of the others of its pane. */
export function isVisible({ view, isDeferred }: WorkspaceLeaf): boolean {
  return !isDeferred && view.containerEl.isShown();
}

/** The editor of a note, unless it is in reading mode. */
export function editorOf({ view }: WorkspaceLeaf) {
  return view instanceof MarkdownView && view.getMode() === "source" ? view.editor : undefined;
}
