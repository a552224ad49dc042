import type { Vault } from "obsidian";
import type { VaultPaths } from "../vault-paths.ts";
import type { OpenEditors } from "./open-editors.ts";

/** The current text of a note: unsaved text first, unless the file was written later. */
export interface NoteText {
  readonly text: string;
  /** It is the text on disk, and Obsidian has noticed it. */
  readonly isSaved: boolean;
  /** When the file changed on disk. */
  readonly mtimeMs: number;
}

/** Where notes are read. */
export interface NoteSources {
  readonly vault: Vault;
  readonly paths: VaultPaths;
  readonly editors: OpenEditors;
}

/** Reads a note; undefined if it does not exist, or a link now leads it outside the vault. */
export async function readNote(
  { vault, paths, editors }: NoteSources,
  path: string,
): Promise<NoteText | undefined> {
  const stat = await vault.adapter.stat(path);
  if (stat?.type !== "file") return undefined;
  const { mtime } = stat;
  const open = editors.textOf(path);
  // After an agent has written the file, the editor shows the old text until Obsidian notices.
  if (open !== undefined && open.changedMs >= mtime) {
    return { text: open.text, isSaved: false, mtimeMs: mtime };
  }
  const file = await paths.read(paths.toAbsolute(path)).catch(() => undefined);
  if (file?.kind !== "text") return undefined;
  const { text } = file;
  const isSaved = vault.getFileByPath(path)?.stat.mtime === mtime;
  return { text, isSaved, mtimeMs: mtime };
}
