import type { Unsubscribe } from "@idewire/core";
import { describeValue } from "@idewire/core/internal";
import { ToolFailure } from "@idewire/core/rpc";
import type { McpServer } from "@idewire/core/server";
import {
  demandChangeable,
  done,
  findFile,
  isHidden,
  isReallyInside,
  readVaultPath,
  type VaultToolParts,
} from "./notes.ts";

const input = {
  type: "object",
  properties: {
    path: { type: "string", description: "The note or file, relative to the vault or absolute" },
    new_path: { type: "string", description: "Its new path, with name and extension" },
  },
  required: ["path", "new_path"],
} as const;

/** Renames or moves a file and updates every link to it, as Obsidian itself does; the result removes the tool. */
export function renameNote(server: McpServer, parts: VaultToolParts): Unsubscribe {
  const options = {
    title: "Rename or move a note",
    description:
      "Renames or moves a note or file of the vault and changes the links to it in all notes. Use it instead of mv, which breaks links.",
    annotations: { readOnlyHint: false, destructiveHint: false },
    input,
  };
  return server.tool("rename_note", options, async ({ path, new_path }) => {
    const file = await findFile(path, parts);
    const from = file.path;
    const to = withExtension(readVaultPath(new_path, parts), file.extension);
    const { fileManager, vault } = parts.app;
    if (to === from) throw new ToolFailure(`${from} already has this name`);
    demandName(to);
    for (const end of [from, to]) demandChangeable(end, parts);
    if (isHidden(to, parts) || !(await isReallyInside(to, parts))) throw taken(to);
    // On some disks a name that differs only in case is the same file.
    const other = vault.getAbstractFileByPath(to);
    if (other !== null && other !== file) throw taken(to);
    const folder = to.slice(0, Math.max(0, to.lastIndexOf("/")));
    const isNew = folder !== "" && vault.getFolderByPath(folder) === null;
    if (isNew) await done(vault.createFolder(folder));
    await done(fileManager.renameFile(file, to));
    return `Renamed ${from} to ${to}; the links to it were changed`;
  });
}

/** Keeps the extension: the dot in "Release 1.2" does not start one. */
function withExtension(path: string, extension: string): string {
  const isThere = path.toLowerCase().endsWith(`.${extension.toLowerCase()}`);
  return extension === "" || isThere ? path : `${path}.${extension}`;
}

/** The same answer whether or not an excluded file is there. */
function taken(path: string): ToolFailure {
  return new ToolFailure(`${path} is taken, or not for agents; choose another name or place`);
}

/** @throws ToolFailure for a name that Obsidian does not show or that cannot be linked to */
function demandName(path: string): void {
  const names = path.split("/");
  if (path.length > 1_000 || names.some((name) => name.length > 250))
    throw new ToolFailure(`${path.slice(0, 80)}… is too long; choose a shorter name`);
  // The answer must not disclose that an excluded note has this name.
  if (names.slice(0, -1).some((name) => /\.md$/i.test(name)))
    throw new ToolFailure(`${path} is below a note; choose a folder`);
  const bad = names.find((name) => name.startsWith(".") || /[#^[\]|\\:*"<>?]/.test(name));
  if (bad === undefined) return;
  throw new ToolFailure(
    `${describeValue(bad)} would break links to it; expected no dot at the start and none of # ^ [ ] | \\ : * " < > ?`,
  );
}
