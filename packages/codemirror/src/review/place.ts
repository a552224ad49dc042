import type { EditorState } from "@codemirror/state";
import type { Hunk } from "./hunks.ts";

/** Where a hunk is, for the name of its controls. */
export interface HunkPlace {
  /** Counted from 1. */
  readonly number: number;
  /** The number of undecided hunks. */
  readonly count: number;
  /** Its lines in the result, 1-based, both included; of deleted lines, the line before which they were. */
  readonly line: number;
  readonly endLine: number;
  /** Whether somebody else has changed these lines since the proposal. */
  readonly isConflict: boolean;
}

/** The mark of a hunk whose lines both sides have changed. */
export const CHANGED_ON_BOTH_SIDES = "Changed on both sides";

export function placeOf(
  state: EditorState,
  hunk: Hunk,
  { index, count }: { readonly index: number; readonly count: number },
): HunkPlace {
  const { doc } = state;
  const line = doc.lineAt(hunk.fromB).number;
  const endLine = hunk.fromB === hunk.toB ? line : doc.lineAt(hunk.endB).number;
  return { number: index + 1, count, line, endLine, isConflict: hunk.isConflict };
}

/** For the names of controls: `hunk 2 of 4, lines 18 to 21`, and that both sides have changed them. */
export function describePlace({ number, count, line, endLine, isConflict }: HunkPlace): string {
  const lines = line === endLine ? `line ${line}` : `lines ${line} to ${endLine}`;
  const conflict = isConflict ? `, ${CHANGED_ON_BOTH_SIDES.toLowerCase()}` : "";
  return `hunk ${number} of ${count}, ${lines}${conflict}`;
}
