// @vitest-environment jsdom
import { redo, undo } from "@codemirror/commands";
import { EditorView } from "@codemirror/view";
import { draftOf, textOfDraft } from "@idewire/codemirror";
import { createDraft, decide, pendingHunks } from "@idewire/codemirror/internal";
import { expect, test } from "vitest";
import { createDiffEditor, type DiffEditor, type ReviewLayout } from "./diff-editor.ts";

const current = "one\ntwo\nthree\nfour\nfive\n";
const proposed = "one\nTWO\nthree\nfour\nFIVE\n";
const layouts: readonly ReviewLayout[] = ["unified", "side-by-side"];

function open(layout: ReviewLayout, { readOnly = false } = {}): DiffEditor {
  const editor: DiffEditor = createDiffEditor({
    hasControls: !readOnly,
    state: { draft: createDraft(current, proposed), compared: undefined, undoSteps: undefined },
    layout,
    readOnly,
    folded: true,
    parent: document.body,
    words: { current: "Current", proposed: "Proposed", phrases: {} },
    renderControls: (_, onpress) => {
      const controls = document.createElement("div");
      for (const decision of ["accept", "reject"] as const) {
        const button = controls.appendChild(document.createElement("button"));
        button.name = decision;
        button.addEventListener("click", () => onpress(decision, button));
      }
      return controls;
    },
    onupdate: () => undefined,
    ondecide: (decision, at) => {
      const { state } = editor.view;
      const hunk = pendingHunks(state).find(({ fromB }) => fromB === at);
      if (hunk !== undefined) editor.view.dispatch(decide(state, hunk, decision));
    },
  });
  return editor;
}

function base(view: EditorView): string {
  return draftOf(view.state).base.doc.toString();
}

test.each(layouts)("%s: the text that is accepted is the text of the editor", (layout) => {
  const { view, destroy } = open(layout);
  expect(textOfDraft(draftOf(view.state))).toBe(proposed);
  view.dispatch({ changes: { from: 0, insert: "zero\n" } });
  expect(textOfDraft(draftOf(view.state))).toBe(`zero\n${proposed}`);
  destroy();
});

test.each(layouts)(
  "%s: decided changes disappear, undo brings them back, redo removes them",
  (layout) => {
    const { view, destroy } = open(layout);
    const [first] = pendingHunks(view.state);
    if (first !== undefined) view.dispatch(decide(view.state, first, "accept"));
    const [second] = pendingHunks(view.state);
    if (second !== undefined) view.dispatch(decide(view.state, second, "reject"));
    const decided = "one\nTWO\nthree\nfour\nfive\n";
    expect([pendingHunks(view.state).length, view.state.doc.toString()]).toEqual([0, decided]);
    undo(view);
    undo(view);
    expect([pendingHunks(view.state).length, view.state.doc.toString()]).toEqual([2, proposed]);
    expect(base(view)).toBe(current);
    redo(view);
    redo(view);
    expect([pendingHunks(view.state).length, base(view)]).toEqual([0, decided]);
    destroy();
  },
);

test("side by side, the current text is the base of the draft, also after undo", () => {
  const { view, destroy } = open("side-by-side");
  const beside = () => {
    const base = document.querySelector<HTMLElement>(".cm-merge-a");
    return base === null ? undefined : EditorView.findFromDOM(base)?.state.doc.toString();
  };
  const [first] = pendingHunks(view.state);
  if (first !== undefined) view.dispatch(decide(view.state, first, "accept"));
  expect(beside()).toBe("one\nTWO\nthree\nfour\nfive\n");
  expect(beside()).toBe(base(view));
  undo(view);
  expect(beside()).toBe(current);
  destroy();
});

test("unified, each change has a button for either decision", () => {
  const { view, destroy } = open("unified");
  const press = (name: string) =>
    view.dom.querySelector<HTMLButtonElement>(`button[name=${name}]`)?.click();
  press("accept");
  expect(pendingHunks(view.state).length).toBe(1);
  press("reject");
  expect(view.state.doc.toString()).toBe("one\nTWO\nthree\nfour\nfive\n");
  destroy();
});

test.each(layouts)("%s: a past review cannot be edited", (layout) => {
  const { view, destroy } = open(layout, { readOnly: true });
  expect([view.state.readOnly, view.contentDOM.getAttribute("contenteditable")]).toEqual([
    true,
    "false",
  ]);
  expect(document.querySelector("button[name]")).toBe(null);
  destroy();
});
