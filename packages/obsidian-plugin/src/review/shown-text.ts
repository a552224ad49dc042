import type { PosixPath } from "@idewire/core";
import { TextFileView, type Workspace, type WorkspaceLeaf } from "obsidian";
import type { VaultPaths } from "../vault-paths.ts";

/**
 * The text in an open editor of the file, that in which the person was last if there are several;
 * undefined when there is none.
 */
export function shownText(
  path: PosixPath,
  workspace: Workspace,
  paths: VaultPaths,
): string | undefined {
  const vaultPath = paths.toVault(path);
  if (vaultPath === undefined) return undefined;
  const texts = new Map<WorkspaceLeaf, string>();
  workspace.iterateAllLeaves((leaf) => {
    const { view } = leaf;
    const isShown = view instanceof TextFileView && view.file?.path === vaultPath;
    if (isShown) texts.set(leaf, view.getViewData());
  });
  const last = workspace.getMostRecentLeaf();
  const [first] = texts.values();
  return (last === null ? undefined : texts.get(last)) ?? first;
}
