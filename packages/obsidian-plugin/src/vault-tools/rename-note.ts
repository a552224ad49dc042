import { defineTool, exactly, plainInput, type Tool, ToolFailure, textResult } from "@idewire/core";
import * as v from "valibot";
import { findFile, isHidden, readVaultPath, type VaultToolParts } from "./notes.ts";

interface RenameNoteArguments {
  readonly path: string;
  readonly new_path: string;
}

const input = plainInput(
  exactly<RenameNoteArguments>()(
    v.object({
      path: v.pipe(
        v.string(),
        v.description("The note or file, relative to the vault or absolute"),
      ),
      new_path: v.pipe(v.string(), v.description("Where it goes, with its new name and extension")),
    }),
  ),
);

/** Renames or moves a file, and changes every link to it, as Obsidian itself does. */
export function renameNote(parts: VaultToolParts): Tool<unknown> {
  return defineTool({
    name: "rename_note",
    title: "Rename or move a note",
    description:
      "Renames or moves a note or file of the vault and changes all links to it. Use it instead of mv, which breaks links.",
    annotations: { readOnlyHint: false, destructiveHint: false },
    input,
    async run({ path, new_path }) {
      const file = findFile(path, parts);
      const from = file.path;
      const to = withExtension(readVaultPath(new_path, parts), file.extension);
      const { fileManager, vault } = parts.app;
      if (to === from) throw new ToolFailure(`${from} is called so already`);
      // A name that differs only in case is the same file on some disks.
      const taken = vault.getAbstractFileByPath(to);
      if (taken !== null && taken !== file)
        throw new ToolFailure(`${to} exists; choose another name`);
      if (isHidden(to, parts))
        throw new ToolFailure(`${to} is not for agents; choose another place`);
      const folder = to.slice(0, Math.max(0, to.lastIndexOf("/")));
      if (folder !== "" && vault.getFolderByPath(folder) === null) await vault.createFolder(folder);
      await fileManager.renameFile(file, to);
      return textResult(`Renamed ${from} to ${to}; the links to it were changed`);
    },
  });
}

function withExtension(path: string, extension: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return extension === "" || name.includes(".") ? path : `${path}.${extension}`;
}
