import { EditorView } from "@codemirror/view";
import { offsetOf } from "@idewire/codemirror";
import type { Range } from "@idewire/core";
import { effect } from "@preact/signals";
import { openChosen, type PageContext } from "../state/page-context.ts";
import { openEditor } from "./code-editor.ts";

/** Ends the wait for an earlier file. */
let stopWaiting: () => void = () => {};

/** Opens a file, selects a range of it, and moves the focus there. */
export function showRange(page: PageContext, path: string, range: Range): void {
  stopWaiting();
  page.view.pane.value = "editor";
  openChosen(page, path);
  const stop = effect(() => {
    const { view } = openEditor.value?.path === path ? openEditor.value : {};
    if (view === undefined) return;
    // In a later turn: a closing dialog restores the focus first.
    window.setTimeout(() => {
      stop();
      const [anchor, head] = [range.start, range.end].map((at) => offsetOf(view.state.doc, at));
      if (anchor === undefined) return;
      view.dispatch({
        selection: { anchor, head: head ?? anchor },
        effects: EditorView.scrollIntoView(anchor, { y: "center" }),
      });
      view.focus();
    });
  });
  stopWaiting = stop;
}
