import type { PosixPath } from "@idewire/core";
import { TextFileView, type Workspace } from "obsidian";
import type { VaultPaths } from "../vault-paths.ts";

/** The text in an open editor of the file; undefined when there is none. */
export function shownText(
  path: PosixPath,
  workspace: Workspace,
  paths: VaultPaths,
): string | undefined {
  const vaultPath = paths.toVault(path);
  if (vaultPath === undefined) return undefined;
  let text: string | undefined;
  workspace.iterateAllLeaves(({ view }) => {
    const isShown = view instanceof TextFileView && view.file?.path === vaultPath;
    if (isShown) text ??= view.getViewData();
  });
  return text;
}
