import type { Range } from "@idewire/core";
import { type Editor, MarkdownView, type WorkspaceLeaf } from "obsidian";
import { editorOf } from "./file-leaves.ts";

/** Selects a range of the note in a tab and scrolls to it; in reading mode it only scrolls. */
export function showRange(leaf: WorkspaceLeaf, range: Range): void {
  const editor = editorOf(leaf);
  if (editor !== undefined) {
    const from = clamp(editor, range.start);
    const to = clamp(editor, range.end);
    editor.setSelection(from, to);
    editor.scrollIntoView({ from, to }, true);
  } else if (leaf.view instanceof MarkdownView) {
    leaf.view.setEphemeralState({ line: range.start.line });
  }
}

function clamp(editor: Editor, { line, character }: Range["start"]) {
  const last = Math.min(line, editor.lastLine());
  return { line: last, ch: Math.min(character, editor.getLine(last).length) };
}
