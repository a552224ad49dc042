import { history, redo, undo } from "@codemirror/commands";
import { EditorState, type Transaction } from "@codemirror/state";
import { type Draft, draftOf, editDraft, textOfDraft } from "@idewire/codemirror";
import {
  createDraft,
  decide,
  hunksOf,
  pendingHunks,
  trackHunks,
} from "@idewire/codemirror/internal";
import fc from "fast-check";
import { expect, test } from "vitest";

// A fixed seed: every run tests the same cases. IDEWIRE_SEED sets another.
fc.configureGlobal({ seed: Number(process.env["IDEWIRE_SEED"] ?? 20261122) });

function edit(draft: Draft): EditorState {
  return EditorState.create({
    doc: draft.result.doc,
    extensions: [history(), editDraft(draft), trackHunks(hunksOf(draft))],
  });
}

type Step =
  | { readonly do: "accept"; readonly hunk: number }
  | { readonly do: "reject"; readonly hunk: number }
  | { readonly do: "type"; readonly at: number; readonly remove: number; readonly text: string }
  | { readonly do: "undo" }
  | { readonly do: "redo" };

function take(state: EditorState, step: Step): EditorState {
  if (step.do === "undo" || step.do === "redo") {
    let next = state;
    const dispatch = (transaction: Transaction) => {
      next = transaction.state;
    };
    (step.do === "undo" ? undo : redo)({ state, dispatch });
    return next;
  }
  if (step.do === "type") {
    const from = step.at % (state.doc.length + 1);
    const to = Math.min(state.doc.length, from + step.remove);
    const insert = state.toText(step.text);
    return state.update({ changes: { from, to, insert }, userEvent: "input.type" }).state;
  }
  const hunks = pendingHunks(state);
  const hunk = hunks[step.hunk % Math.max(1, hunks.length)];
  return hunk === undefined ? state : state.update(decide(state, hunk, step.do)).state;
}

function accepted(state: EditorState): string {
  return textOfDraft(draftOf(state));
}

const chunks = fc.constantFrom("alpha beta", "gamma", "delta epsilon zeta", "", "é😀");
const breaks = fc.constantFrom("\n", "\n", "\r\n", "\r\n", "\r");
const mixed = fc
  .array(fc.tuple(chunks, breaks), { maxLength: 8 })
  .chain((lines) => chunks.map((last) => lines.map((l) => l.join("")).join("") + last));
const linesOf = (ending: string) =>
  fc.array(chunks, { maxLength: 8 }).map((lines) => lines.join(ending));
const anyText = fc.oneof(
  mixed,
  linesOf("\n"),
  linesOf("\r\n"),
  mixed.map((t) => `\uFEFF${t}`),
);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom("accept" as const, "reject" as const), hunk: fc.nat(9) }),
  fc.record({
    do: fc.constant("type" as const),
    at: fc.nat(80),
    remove: fc.nat(12),
    text: fc.constantFrom("", "x", "new\nlines\n", "\r\n"),
  }),
  fc.record({ do: fc.constantFrom("undo" as const, "redo" as const) }),
);

test("after any decisions, edits and undos, what is accepted is what is shown", () => {
  fc.assert(
    fc.property(
      anyText,
      anyText,
      fc.array(anyStep, { maxLength: 12 }),
      (current, proposed, steps) => {
        const state = steps.reduce(take, edit(createDraft(current, proposed)));
        const shown = state.doc.toString();
        expect(
          accepted(state)
            .replace(/^\uFEFF/, "")
            .replace(/\r\n?/g, "\n"),
        ).toBe(shown);
        expect(accepted(state).startsWith("\uFEFF")).toBe(proposed.startsWith("\uFEFF"));
      },
    ),
    { numRuns: 400 },
  );
});

test("accepting a change does not alter the text that would be accepted", () => {
  fc.assert(
    fc.property(
      anyText,
      anyText,
      fc.array(anyStep, { maxLength: 6 }),
      (current, proposed, steps) => {
        const state = steps.reduce(take, edit(createDraft(current, proposed)));
        for (const hunk of pendingHunks(state)) {
          expect(accepted(state.update(decide(state, hunk, "accept")).state)).toBe(accepted(state));
        }
      },
    ),
  );
});

test("changes can be decided one by one until none is left", () => {
  fc.assert(
    fc.property(anyText, anyText, fc.infiniteStream(fc.boolean()), (a, b, choices) => {
      let state = edit(createDraft(a, b));
      let decisions = 0;
      for (; pendingHunks(state).length > 0 && decisions < 40; decisions += 1) {
        const { value: yes } = choices.next();
        state = take(state, { do: yes ? "accept" : "reject", hunk: 0 });
      }
      // The rest is compared again, and may result in other changes, but fewer each time.
      expect(decisions).toBeLessThan(40);
    }),
  );
});

test("rejecting all changes restores the current text, to the byte if the agent kept its line endings", () => {
  const lines = fc
    .uniqueArray(fc.nat(99), { maxLength: 8 })
    .chain((ids) =>
      fc.tuple(
        ...ids.map((id) =>
          fc.tuple(fc.constant(`line ${id}`), breaks, fc.constantFrom("", "-", "+", "~")),
        ),
      ),
    );
  fc.assert(
    fc.property(lines, (all) => {
      const now = all.filter(([, , change]) => change !== "+");
      const then = all.filter(([, , change]) => change !== "-");
      const current = now.map(([line, end]) => line + end).join("");
      const proposed = then.map(([line, end, how]) => (how === "~" ? "new" : line) + end).join("");
      let state = edit(createDraft(current, proposed));
      while (pendingHunks(state).length > 0) state = take(state, { do: "reject", hunk: 0 });
      expect(accepted(state)).toBe(current);
    }),
  );
});

test("undo and redo cover line endings and decisions", () => {
  const decisions = fc.array(
    fc.record({ do: fc.constantFrom("accept" as const, "reject" as const), hunk: fc.nat(9) }),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(anyText, anyText, decisions, (current, proposed, steps) => {
      const start = edit(createDraft(current, proposed));
      const end = steps.reduce(take, start);
      let state = steps.reduce((s) => take(s, { do: "undo" }), end);
      expect(accepted(state)).toBe(proposed);
      expect(pendingHunks(state).length).toBe(pendingHunks(start).length);
      expect(draftOf(state).base.doc.eq(draftOf(start).base.doc)).toBe(true);
      state = steps.reduce((s) => take(s, { do: "redo" }), state);
      expect(accepted(state)).toBe(accepted(end));
      expect(pendingHunks(state).length).toBe(pendingHunks(end).length);
    }),
  );
});

test("a new line in a CRLF note ends with CRLF", () => {
  const state = edit(createDraft("a\r\nb\r\n", "a\r\nc\r\n"));
  const typed = take(state, { do: "type", at: 1, remove: 0, text: "!\nnew" });
  expect(accepted(typed)).toBe("a!\r\nnew\r\nc\r\n");
});

test("paragraphs with an empty line between them are decided separately", () => {
  let state = edit(createDraft("one\n\ntwo\n\nthree\n", "ONE\n\nTWO\n\nTHREE\n"));
  expect(pendingHunks(state).length).toBe(3);
  state = take(state, { do: "reject", hunk: 1 });
  expect(accepted(state)).toBe("ONE\n\ntwo\n\nTHREE\n");
  expect(pendingHunks(state).length).toBe(2);
});

test("after any edit, each hunk has exactly the lines that differ", () => {
  fc.assert(
    fc.property(anyText, anyText, fc.array(anyStep, { maxLength: 8 }), (a, b, steps) => {
      const state = steps.reduce(take, edit(createDraft(a, b)));
      const { base, result } = draftOf(state);
      let joined = "";
      let at = 0;
      for (const { fromA, toA, fromB, toB } of pendingHunks(state)) {
        joined += result.doc.sliceString(at, fromB) + base.doc.sliceString(fromA, toA);
        at = toB;
      }
      const rest = at > result.doc.length ? "" : result.doc.sliceString(at);
      expect(joined + rest).toBe(base.doc.toString());
    }),
  );
});
