import type { Workspace } from "obsidian";

/** The notes in tabs of any window, including tabs that are not loaded yet. */
export function openNotes(workspace: Workspace): readonly string[] {
  const paths = new Set<string>();
  workspace.iterateAllLeaves((leaf) => {
    const { file } = leaf.getViewState().state ?? {};
    if (typeof file === "string" && /\.md$/i.test(file)) paths.add(file);
  });
  return [...paths];
}
