import { isolateHistory } from "@codemirror/commands";
import { ChangeSet, type EditorState, type TransactionSpec } from "@codemirror/state";
import { areAlike, breaksBetween, type DraftSide } from "./breaks.ts";
import { changeBase, draftOf, writeBreaks } from "./draft-field.ts";
import { type Hunk, pendingHunks } from "./review/hunks.ts";

export type HunkDecision = "accept" | "reject";

/** The hunk at the cursor. */
export function hunkAtCursor(state: EditorState): Hunk | undefined {
  return hunkAt(state, state.selection.main.head);
}

export function hunkAt(state: EditorState, at: number): Hunk | undefined {
  return pendingHunks(state).find((hunk) => hunk.fromB <= at && at <= hunk.endB);
}

/** Accepting copies a hunk into the base; rejecting reverts it in the result. */
export function decide(state: EditorState, hunk: Hunk, decision: HunkDecision): TransactionSpec {
  return decision === "accept" ? accept(state, hunk) : reject(state, hunk);
}

function accept(state: EditorState, hunk: Hunk): TransactionSpec {
  const { base, result } = draftOf(state);
  const copy = { from: result, start: hunk.fromB, end: hunk.toB };
  const place = { to: base, start: hunk.fromA, end: hunk.toA };
  const { change, breaks } = replaceLines(copy, place);
  const changes = ChangeSet.of(change, base.doc.length);
  return {
    effects: changeBase.of({ changes, breaks }),
    annotations: isolateHistory.of("full"),
    userEvent: "accept",
  };
}

function reject(state: EditorState, hunk: Hunk): TransactionSpec {
  const { base, result } = draftOf(state);
  const copy = { from: base, start: hunk.fromA, end: hunk.toA };
  const place = { to: result, start: hunk.fromB, end: hunk.toB };
  const { change, breaks } = replaceLines(copy, place);
  return {
    changes: change,
    effects: writeBreaks.of(breaks),
    annotations: isolateHistory.of("full"),
    userEvent: "revert",
  };
}

/** Whole lines; `end` is after the break of the last one, even if the document ends without one. */
interface LinesToCopy {
  readonly from: DraftSide;
  readonly start: number;
  readonly end: number;
}

interface LinesToReplace {
  readonly to: DraftSide;
  readonly start: number;
  readonly end: number;
}

function replaceLines(
  { from, start, end }: LinesToCopy,
  { to, start: at, end: until }: LinesToReplace,
) {
  const last = Math.min(end, from.doc.length);
  const copied = areAlike(from.breaks, to.breaks) ? [] : breaksBetween(from, start, last);
  return {
    change: {
      from: at,
      to: Math.min(until, to.doc.length),
      insert: from.doc.slice(Math.min(start, last), last),
    },
    breaks: copied.map((each) => ({ ...each, at: each.at + at - start })),
  };
}
