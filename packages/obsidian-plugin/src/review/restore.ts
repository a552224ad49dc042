import { layOut } from "@idewire/codemirror";
import type { PosixPath } from "@idewire/core";
import { type App, MarkdownView, normalizePath } from "obsidian";
import { findFileLeaves } from "../documents/file-leaves.ts";
import type { VaultPaths } from "../vault-paths.ts";
import { editInPlace } from "./text/note-edits.ts";
import { replacements } from "./text/replacements.ts";

/**
 * Writes a text into the editor of a note as one undo step. Creates the note if it no
 * longer exists. Returns false if the note cannot be opened as text.
 */
export async function putIntoNote(
  path: PosixPath,
  text: string,
  parts: { readonly app: App; readonly paths: VaultPaths },
): Promise<boolean> {
  const { workspace, vault } = parts.app;
  const vaultPath = parts.paths.toVault(path);
  if (vaultPath === undefined) return false;
  const shown = layOut(text).lines.join("\n");
  const known = vault.getFileByPath(vaultPath);
  const file = known ?? (await vault.create(normalizePath(vaultPath), text));
  const open = findFileLeaves(workspace, vault).find(
    (each) => each.file === file && each.leaf.view instanceof MarkdownView,
  )?.leaf;
  const leaf = open ?? workspace.getLeaf("tab");
  if (open === undefined) await leaf.openFile(file);
  await workspace.revealLeaf(leaf);
  if (!(leaf.view instanceof MarkdownView)) return false;
  const { editor } = leaf.view;
  editInPlace(editor, replacements(editor.getValue(), shown));
  return true;
}
