import type { Vault } from "obsidian";
import type { VaultPaths } from "../vault-paths.ts";
import type { OpenEditors } from "./open-editors.ts";

/** A note as it is now: unsaved text first, unless somebody else wrote the file later. */
export interface NoteText {
  readonly text: string;
  /** It is on disk, and Obsidian has noticed. */
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

/** Undefined for a note that is not there, or is outside the vault by now. */
export async function readNote(
  { vault, paths, editors }: NoteSources,
  path: string,
): Promise<NoteText | undefined> {
  const stat = await vault.adapter.stat(path);
  if (stat?.type !== "file") return undefined;
  const { mtime } = stat;
  const open = editors.textOf(path);
  // An agent writes the file; until Obsidian has noticed, the editor shows what was before.
  if (open !== undefined && open.changedMs >= mtime) {
    return { text: open.text, isSaved: false, mtimeMs: mtime };
  }
  const file = await paths.read(paths.toAbsolute(path)).catch(() => undefined);
  if (file?.kind !== "text") return undefined;
  const { text } = file;
  const isSaved = vault.getFileByPath(path)?.stat.mtime === mtime;
  return { text, isSaved, mtimeMs: mtime };
}
