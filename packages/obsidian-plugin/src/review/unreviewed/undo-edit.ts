import type { PosixPath } from "@idewire/core";
import type { App } from "obsidian";
import type { VaultPaths } from "../../vault-paths.ts";
import type { CurrentText } from "../current-text.ts";
import type { RecordTexts } from "../history/record.ts";

/** The dependencies of undoing an edit. */
export interface UndoEditParts {
  readonly app: Pick<App, "vault" | "fileManager">;
  readonly paths: VaultPaths;
  /** Whether an editor has text of the note that is not saved. */
  readonly isUnsaved: (path: PosixPath) => boolean;
  /** Reads the text on disk. */
  readonly read: (path: PosixPath) => Promise<CurrentText>;
  /** Called with the text that is about to be written to a path of the vault. */
  readonly expect: (vaultPath: string, text: string) => void;
}

/** The note differs from the result of the edit. */
const CHANGED = new Error("the note has changed since");

/**
 * Restores a note to the byte before an edit; a note that the edit created goes to the trash. Returns false, and
 * does nothing, if the note has changed since.
 * @throws what the vault throws
 */
export async function undoEdit(
  path: PosixPath,
  { before, proposed: after }: RecordTexts,
  { app, paths, isUnsaved, read, expect }: UndoEditParts,
): Promise<boolean> {
  const vaultPath = paths.toVault(path);
  const file = vaultPath === undefined ? null : app.vault.getFileByPath(vaultPath);
  if (file === null || isUnsaved(path)) return false;
  const now = await read(path);
  if (now.kind !== "text" || now.text !== after) return false;
  if (before === undefined) {
    await app.fileManager.trashFile(file);
    return true;
  }
  expect(file.path, before);
  try {
    await app.vault.process(file, (text) => {
      // The vault may hide the byte order mark.
      if (withoutMark(text) !== withoutMark(after)) throw CHANGED;
      return before;
    });
    return true;
  } catch (error) {
    if (error === CHANGED) return false;
    throw error;
  }
}

function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, "");
}
