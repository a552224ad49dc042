import type { EditorPosition } from "obsidian";
import type { Editor } from "../editor/editor.ts";
import type { State } from "./view.ts";

interface Shown {
  readonly editor: Editor;
  readonly previewMode: { applyScroll(line: number): void };
  getMode(): string;
}

interface Loc {
  readonly line: number;
  readonly col: number;
}

/** Goes to a line or a range, as links, searches and plugins ask for it. */
export function applyEphemeral(view: Shown, state: State): void {
  const { line, startLoc, endLoc, cursor, focus } = state as {
    line?: number;
    startLoc?: Loc;
    endLoc?: Loc;
    cursor?: { from?: EditorPosition; to?: EditorPosition };
    focus?: boolean;
  };
  const start = startLoc && toPosition(startLoc);
  const from = cursor?.from ?? start ?? (line === undefined ? undefined : { line, ch: 0 });
  if (from !== undefined) {
    const to = cursor?.to ?? (endLoc && toPosition(endLoc)) ?? from;
    if (view.getMode() === "preview") view.previewMode.applyScroll(from.line);
    else {
      view.editor.setSelection(from, to);
      view.editor.scrollIntoView({ from, to }, true);
    }
  }
  if (focus === true && view.getMode() === "source") view.editor.focus();
}

function toPosition({ line, col }: Loc): EditorPosition {
  return { line, ch: col };
}
