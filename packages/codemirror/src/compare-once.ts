import { Change } from "@codemirror/merge";
import { diffWords, findHunks } from "@idewire/core/internal/hunks";
import type { Draft } from "./draft.ts";

/** In UTF-16 units: the most that is drawn as one piece. */
const LONG = 20_000;

/** The long texts compared last: they are compared before and during rendering. */
let last: { readonly a: string; readonly b: string; readonly changes: readonly Change[] } = {
  ...{ a: "", b: "" },
  changes: [],
};

/** The words that differ in the hunks of two texts. */
export function diffProse(a: string, b: string): readonly Change[] {
  return findHunks(a, b).flatMap(({ fromA, toA, fromB, toB }) =>
    diffWords(a.slice(fromA, toA), b.slice(fromB, toB)).map(
      (word) =>
        new Change(word.fromA + fromA, word.toA + fromA, word.fromB + fromB, word.toB + fromB),
    ),
  );
}

/** {@link diffProse}, with the last result for long texts cached. */
export function compareOnce(a: string, b: string): readonly Change[] {
  if (a.length < LONG) return diffProse(a, b);
  if (a !== last.a || b !== last.b) last = { a, b, changes: diffProse(a, b) };
  // The library modifies the array.
  return [...last.changes];
}

/** Whether a change deletes more than can be drawn between the lines of one text. */
export function deletesMuch({ base, result }: Draft): boolean {
  if (base.doc.length < LONG) return false;
  const changes = compareOnce(base.doc.toString(), result.doc.toString());
  return changes.some(({ fromA, toA }) => toA - fromA > LONG);
}
