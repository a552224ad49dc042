import type { Vault } from "obsidian";
import type { OpenEditors } from "./open-editors.ts";

/** A note as it is now: unsaved text first, unless somebody else wrote the file later. */
export interface NoteText {
  readonly text: string;
  /** It is on disk, and Obsidian has noticed. */
  readonly isSaved: boolean;
  /** When the file changed on disk. */
  readonly mtimeMs: number;
}

/** Undefined for a note that is not there. */
export async function readNote(
  vault: Vault,
  editors: OpenEditors,
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
  const text = await vault.adapter.read(path);
  const isSaved = vault.getFileByPath(path)?.stat.mtime === mtime;
  return { text, isSaved, mtimeMs: mtime };
}
