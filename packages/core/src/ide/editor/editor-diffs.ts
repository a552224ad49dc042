import type { PosixPath } from "../../paths/posix-path.ts";
import { FILE_CHANGED } from "../diffs/diff-notes.ts";
import { PendingDiffs, type ShownDiff } from "../diffs/pending-diffs.ts";
import type { DocumentTexts } from "./document-texts.ts";
import type { EditorChange } from "./editor-change.ts";

/** A diff and the text that it would replace. */
export interface EditorDiff extends ShownDiff {
  readonly original: string;
  readonly base?: string;
  readonly notes?: readonly string[];
}

/** The pending diffs of an editor, whose changes are reported. */
export function createEditorDiffs(
  texts: DocumentTexts,
  onchange: (change: EditorChange) => void,
): PendingDiffs<EditorDiff> {
  const diffs = new PendingDiffs<EditorDiff>({
    prepare: (request) => ({ request, original: texts.shown(request.path) }),
    textOf: ({ request }) => request.proposed,
  });
  const open = ({ request: { id, path, title, proposed }, ...compared }: EditorDiff) =>
    onchange({ kind: "review-opened", id, path, title, proposed, ...compared });
  diffs.events.on("diffOpened", open);
  diffs.events.on("diffChanged", open);
  diffs.events.on("diffClosed", ({ request: { id } }, { kind: outcome }) =>
    onchange({ kind: "review-closed", id, outcome }),
  );
  return diffs;
}

/** Compares the diffs of a file with its new text, unless that is the proposal, which the agent has written. */
export function compareDiffs(diffs: PendingDiffs<EditorDiff>, path: PosixPath, text: string): void {
  for (const shown of diffs.shown) {
    const { path: of, proposed } = shown.request;
    if (of !== path || [shown.original, proposed].includes(text)) continue;
    const { base = shown.original } = shown;
    diffs.update({ ...shown, original: text, base, notes: [FILE_CHANGED] });
  }
}
