import type { Change } from "@codemirror/merge";
import type { Draft } from "@idewire/codemirror";
import { diffProse } from "../text/prose-diff.ts";

/** In UTF-16 units; at the most so much is drawn as one piece. */
const LONG = 20_000;

/** The long texts that were compared last: they are so before they are drawn, and when they are. */
let last = { a: "", b: "", changes: diffProse("", "") };

/** As {@link diffProse}, which for long texts is not done twice in a row. */
export function compareOnce(a: string, b: string): readonly Change[] {
  if (a.length < LONG) return diffProse(a, b);
  if (a !== last.a || b !== last.b) last = { a, b, changes: diffProse(a, b) };
  // The library moves what it is given.
  return [...last.changes];
}

/** Whether some change takes away more than can be drawn between the lines of one text. */
export function deletesMuch({ base, result }: Draft): boolean {
  if (base.doc.length < LONG) return false;
  const changes = compareOnce(base.doc.toString(), result.doc.toString());
  return changes.some(({ fromA, toA }) => toA - fromA > LONG);
}
