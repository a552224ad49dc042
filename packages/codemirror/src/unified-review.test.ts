// @vitest-environment jsdom
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { expect, test } from "vitest";
import { createDraft } from "./create-draft.ts";
import { decide, type HunkDecision, hunkAt } from "./decide.ts";
import { textOfDraft } from "./draft.ts";
import { draftOf, editDraft } from "./draft-field.ts";
import { pendingHunks } from "./review/hunks.ts";
import { unifiedReview } from "./unified-review.ts";

/** A text of numbered lines, and the same with some of them edited. */
function edited(lines: number, edits: number) {
  const before = Array.from({ length: lines }, (_, index) => `const value${index} = ${index};`);
  const every = Math.floor(lines / edits);
  const after = before.map((line, index) =>
    index % every === 5 && index < edits * every ? `${line} // edited` : line,
  );
  return { before: `${before.join("\n")}\n`, after: `${after.join("\n")}\n` };
}

function open(before: string, after: string): EditorView {
  const draft = createDraft(before, after);
  return new EditorView({
    parent: document.body,
    state: EditorState.create({
      doc: draft.result.doc,
      extensions: [
        editDraft(draft),
        unifiedReview({
          draft,
          renderControls: (_, onpress) =>
            (["accept", "reject"] as const).map((decision) => {
              const button = document.createElement("button");
              button.name = decision;
              button.addEventListener("click", () => onpress(decision, button));
              return button;
            }),
          ondecide(decision, at, view) {
            const hunk = hunkAt(view.state, at);
            if (hunk !== undefined) view.dispatch(decide(view.state, hunk, decision));
          },
        }),
      ],
    }),
  });
}

function press(view: EditorView, decision: HunkDecision): void {
  view.dom.querySelector<HTMLElement>(`button[name=${decision}]`)?.click();
}

test.each([
  [518, 4],
  [5_000, 12],
  [20_000, 40],
])(
  "in %i lines with %i edits, each edit is one hunk, and nothing else is marked",
  (lines, edits) => {
    const { before, after } = edited(lines, edits);
    const view = open(before, after);
    const hunks = pendingHunks(view.state);
    expect(hunks.length).toBe(edits);
    const marked = hunks.map(({ fromB, toB }) => view.state.doc.sliceString(fromB, toB).trim());
    expect(marked.filter((text) => !/^const value\d+ = \d+; \/\/ edited$/.test(text))).toEqual([]);
    view.destroy();
  },
);

test("the button of a hunk decides that hunk alone", () => {
  const { before, after } = edited(40, 4);
  const view = open(before, after);
  press(view, "reject");
  expect(pendingHunks(view.state).length).toBe(3);
  press(view, "accept");
  expect(pendingHunks(view.state).length).toBe(2);
  const [first = "", second = ""] = after.split("\n").filter((line) => line.endsWith("edited"));
  const text = textOfDraft(draftOf(view.state));
  expect([text.includes(first), text.includes(second)]).toEqual([false, true]);
  view.destroy();
});
