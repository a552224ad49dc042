import type { Change } from "@codemirror/merge";
import type { Draft } from "./draft.ts";
import { diffProse } from "./prose-diff.ts";

/** In UTF-16 units: the most that is drawn as one piece. */
const LONG = 20_000;

/** The long texts compared last: they are compared before and during rendering. */
let last = { a: "", b: "", changes: diffProse("", "") };

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
