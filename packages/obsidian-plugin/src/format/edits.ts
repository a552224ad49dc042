import type { Editor } from "obsidian";

/** Replaces the text from `from` up to, not including, `to` with `insert`; offsets of the old text. */
export interface NoteEdit {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** Edits are in the order of the text and do not overlap. */
export function applyEdits(text: string, edits: readonly NoteEdit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { from, to, insert } of edits) {
    parts.push(text.slice(at, from), insert);
    at = to;
  }
  parts.push(text.slice(at));
  return parts.join("");
}

/** Applies edits as one step that can be undone and that keeps the cursor. */
export function editInPlace(editor: Editor, edits: readonly NoteEdit[], origin?: string): void {
  if (edits.length === 0) return;
  const changes = edits.map(({ from, to, insert }) => ({
    from: editor.offsetToPos(from),
    to: editor.offsetToPos(to),
    text: insert,
  }));
  editor.transaction({ changes }, origin);
}

/** Sorts edits by position; of those that overlap, the first and longest is kept. */
export function inOrder(edits: readonly NoteEdit[]): readonly NoteEdit[] {
  const isInsertion = ({ from, to }: NoteEdit) => Number(from === to);
  const sorted = [...edits].sort(
    (a, b) => a.from - b.from || isInsertion(b) - isInsertion(a) || b.to - a.to,
  );
  let at = 0;
  return sorted.filter(({ from, to }) => {
    const isFree = from >= at;
    if (isFree) at = to;
    return isFree;
  });
}
