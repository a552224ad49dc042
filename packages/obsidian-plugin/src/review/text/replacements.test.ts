import fc from "fast-check";
import { expect, test } from "vitest";
import type { NoteEdit } from "./note-edits.ts";
import { replacements } from "./replacements.ts";

// A fixed seed: every run tests the same cases. IDEWIRE_SEED sets another.
fc.configureGlobal({ seed: Number(process.env["IDEWIRE_SEED"] ?? 20261122) });

const anyText = fc
  .array(fc.constantFrom("one\n", "two\n", "three\n", "\n", "last"), { maxLength: 8 })
  .map((lines) => lines.join(""));

function applyEdits(text: string, edits: readonly NoteEdit[]): string {
  const step = (done: string, { from, to, insert }: NoteEdit) =>
    done.slice(0, from) + insert + done.slice(to);
  return edits.reduceRight(step, text);
}

test("the edits turn one text into the other", () => {
  fc.assert(
    fc.property(anyText, anyText, (now, then) => {
      expect(applyEdits(now, replacements(now, then))).toBe(then);
    }),
  );
});

test("equal lines are not touched", () => {
  expect(replacements("a\nb\nc\n", "a\nB\nc\n")).toEqual([{ from: 2, to: 4, insert: "B\n" }]);
});
