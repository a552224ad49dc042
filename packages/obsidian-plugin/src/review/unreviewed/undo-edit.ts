import { layOut } from "@idewire/codemirror";
import type { PosixPath } from "@idewire/core";
import { type RestoredText, restoreAll, restoreHunk } from "@idewire/core/internal/hunks";
import { type App, MarkdownView, type TFile } from "obsidian";
import { findFileLeaves } from "../../documents/file-leaves.ts";
import type { VaultPaths } from "../../vault-paths.ts";
import type { CurrentText } from "../current-text.ts";
import { type RecordTexts, undecidedOf } from "../history/record.ts";
import { editInPlace } from "../text/note-edits.ts";
import { replacements } from "../text/replacements.ts";

/** The dependencies of undoing an edit. */
export interface UndoEditParts {
  readonly app: Pick<App, "vault" | "fileManager" | "workspace">;
  readonly paths: VaultPaths;
  /** Whether an editor has text of the note that is not saved. */
  readonly isUnsaved: (path: PosixPath) => boolean;
  /** Reads the text on disk. */
  readonly read: (path: PosixPath) => Promise<CurrentText>;
  /** Called with the text that is about to be written to a path of the vault. */
  readonly expect: (vaultPath: string, text: string) => void;
}

/** The result of undoing an edit. */
export type UndoneEdit = Pick<RestoredText, "written" | "refused">;

/** The note has changed since it was read. */
const CHANGED = new Error("the note has changed since");

/**
 * Undoes an edit, or one of its undecided hunks, in the editor of the note, or else in its file; a note that the
 * edit created goes to the trash. Hunks whose lines have changed since are left as they are.
 * @throws what the vault throws
 */
export async function undoEdit(
  path: PosixPath,
  texts: RecordTexts,
  hunk: number | undefined,
  parts: UndoEditParts,
): Promise<UndoneEdit> {
  const { app, paths, isUnsaved, read } = parts;
  const undecided = undecidedOf(texts);
  const nothing = { written: undecided.written, refused: 1 };
  const vaultPath = paths.toVault(path);
  const file = vaultPath === undefined ? null : app.vault.getFileByPath(vaultPath);
  if (file === null) return nothing;
  const restore = (current: string) =>
    hunk === undefined
      ? restoreAll({ ...undecided, current })
      : restoreHunk({ ...undecided, current }, hunk);
  const editor = editorOf(file, app);
  const isUnsavedText = isUnsaved(path);
  if (editor !== undefined) {
    const now = editor.getValue();
    const restored = restore(now);
    const isGone = texts.before === undefined && restored.current === "" && !isUnsavedText;
    if (isGone) await app.fileManager.trashFile(file);
    else editInPlace(editor, replacements(now, layOut(restored.current).lines.join("\n")));
    return restored;
  }
  const now = isUnsavedText ? undefined : await read(path);
  if (now?.kind !== "text") return nothing;
  const restored = restore(now.text);
  if (restored.written === undecided.written) return restored;
  if (texts.before === undefined && restored.current === "") {
    await app.fileManager.trashFile(file);
    return restored;
  }
  return (await replace(file, { now: now.text, next: restored.current }, parts))
    ? restored
    : nothing;
}

/** False, and nothing is written, if the note has changed since it was read. */
async function replace(
  file: TFile,
  { now, next }: { readonly now: string; readonly next: string },
  { app, expect }: UndoEditParts,
): Promise<boolean> {
  expect(file.path, next);
  try {
    await app.vault.process(file, (text) => {
      // The vault may hide the byte order mark.
      if (withoutMark(text) !== withoutMark(now)) throw CHANGED;
      return next;
    });
    return true;
  } catch (error) {
    if (error === CHANGED) return false;
    throw error;
  }
}

function editorOf(file: TFile, { workspace, vault }: UndoEditParts["app"]) {
  const leaves = findFileLeaves(workspace, vault).filter((each) => each.file === file);
  const views = leaves.map(({ leaf }) => leaf.view);
  return views.find((view) => view instanceof MarkdownView)?.editor;
}

function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, "");
}
