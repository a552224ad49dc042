// @vitest-environment jsdom
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { manualClock } from "@idewire/core/testing";
import { afterEach, expect, test } from "vitest";
import { createEditorExtension, refreshMarks } from "./editor-extension.ts";
import { SelectionTracker } from "./selection-tracker.ts";

const views: EditorView[] = [];

afterEach(() => {
  for (const view of views.splice(0)) view.destroy();
  document.body.replaceChildren();
});

const note = { path: "note.md" };

function fixture({ active = true, known = true } = {}) {
  const clock = manualClock();
  const state = { known, received: 0, file: note as { path: string } | undefined };
  const tracker = new SelectionTracker(clock, () => {
    state.received += 1;
  });
  const extension = createEditorExtension({
    tracker,
    fileOf: () => state.file,
    isActive: () => active,
    isKnown: () => state.known,
  });
  const open = (doc: string, parent: HTMLElement = document.body) => {
    const view = new EditorView({
      state: EditorState.create({
        doc,
        extensions: [EditorState.allowMultipleSelections.of(true), extension],
      }),
      parent,
    });
    views.push(view);
    return view;
  };
  return { clock, tracker, state, open };
}

test("a selection has all its ranges with lines, columns in UTF-16 units, and text", () => {
  const { tracker, open } = fixture();
  const view = open("one\n🌱 two\nthree");
  view.dispatch({ selection: { anchor: 12, head: 4 } });
  expect(tracker.now?.file).toBe(note);
  expect(tracker.now?.read()).toEqual({
    ranges: [
      { start: { line: 1, character: 0 }, end: { line: 2, character: 1 }, text: "🌱 two\nt" },
    ],
    primary: 0,
  });
});

test("an editor without a file and an inactive pane report nothing", () => {
  const { tracker, state, open } = fixture({ active: false });
  open("text").dispatch({ selection: { anchor: 0, head: 2 } });
  expect(tracker.now).toBeUndefined();
  state.file = undefined;
  const focused = open("text");
  focused.focus();
  focused.dispatch({ selection: { anchor: 0, head: 2 } });
  expect(tracker.now).toBeUndefined();
});

test("a reported selection keeps its text when the note changes", () => {
  const { tracker, open } = fixture();
  const view = open("one two");
  view.dispatch({ selection: { anchor: 0, head: 3 } });
  const { now } = tracker;
  view.dispatch({ changes: { from: 0, to: 3, insert: "ONE" }, selection: { anchor: 0, head: 3 } });
  expect(now?.read().ranges[0]?.text).toBe("one");
  expect(tracker.now?.read().ranges[0]?.text).toBe("ONE");
  expect(tracker.now?.place).not.toBe(now?.place);
});

test("the shared selection is marked while the focus is elsewhere, and only then", () => {
  const { state, open } = fixture();
  const view = open("one two");
  const marked = () =>
    [...view.dom.querySelectorAll(".idewire-shared-selection")].map((el) => el.textContent);
  view.dispatch({ selection: { anchor: 4, head: 7 } });
  expect(marked()).toEqual(["two"]);
  state.known = false;
  refreshMarks(view);
  expect(marked()).toEqual([]);
  state.known = true;
  view.focus();
  refreshMarks(view);
  expect(view.hasFocus ? marked() : "no focus").toEqual([]);
  view.contentDOM.blur();
  refreshMarks(view);
  expect(marked()).toEqual(["two"]);
});

test("a table cell, which is a separate editor, reports the whole row of its note", () => {
  const { tracker, open } = fixture();
  const outer = open("Text\n\n| a | b |\n| - | - |\n| c | d |\n\nEnd");
  const line = outer.contentDOM.children[2] as HTMLElement;
  const cell = open("d", line);
  cell.dispatch({ selection: { anchor: 0, head: 1 } });
  expect(tracker.now?.origin).toBe(outer);
  expect(tracker.now?.read().ranges).toEqual([
    { start: { line: 4, character: 0 }, end: { line: 4, character: 9 }, text: "| c | d |" },
  ]);
});

test("a cursor step in ten megabytes costs no more than in a short note", () => {
  const { tracker, open } = fixture();
  const view = open("0123456789\n".repeat(1_000_000));
  const before = process.cpuUsage();
  for (let step = 1; step <= 200; step += 1) {
    view.dispatch({ selection: { anchor: 0, head: step * 50_000 } });
  }
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(15_000);
  expect(tracker.now?.isSelected).toBe(true);
});
