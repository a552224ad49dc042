import type { Editor } from "obsidian";

/** Replaces the text from `from` up to, not including, `to` with `insert`; offsets of the old text. */
export interface NoteEdit {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** Applies edits as one undo step that keeps the cursor in place. */
export function editInPlace(editor: Editor, edits: readonly NoteEdit[]): void {
  if (edits.length === 0) return;
  const changes = edits.map(({ from, to, insert }) => ({
    from: editor.offsetToPos(from),
    to: editor.offsetToPos(to),
    text: insert,
  }));
  editor.transaction({ changes });
}
