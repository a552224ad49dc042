import { isolateHistory } from "@codemirror/commands";
import { type Chunk, getChunks } from "@codemirror/merge";
import { ChangeSet, type EditorState, type TransactionSpec } from "@codemirror/state";
import { areAlike, breaksBetween, type DraftSide } from "./breaks.ts";
import { changeBase, draftOf, writeBreaks } from "./draft-field.ts";

export type ChunkDecision = "accept" | "reject";

/** The undecided changes, in order. */
export function pendingChunks(state: EditorState): readonly Chunk[] {
  return getChunks(state)?.chunks ?? [];
}

/** The change at the cursor. */
export function chunkAtCursor(state: EditorState): Chunk | undefined {
  return chunkAt(state, state.selection.main.head);
}

export function chunkAt(state: EditorState, at: number): Chunk | undefined {
  return pendingChunks(state).find((chunk) => chunk.fromB <= at && at <= chunk.endB);
}

/** Accepting copies a change into the base; rejecting reverts it in the result. */
export function decide(state: EditorState, chunk: Chunk, decision: ChunkDecision): TransactionSpec {
  return decision === "accept" ? accept(state, chunk) : reject(state, chunk);
}

function accept(state: EditorState, chunk: Chunk): TransactionSpec {
  const { base, result } = draftOf(state);
  const copy = { from: result, start: chunk.fromB, end: chunk.toB };
  const place = { to: base, start: chunk.fromA, end: chunk.toA };
  const { change, breaks } = replaceLines(copy, place);
  const changes = ChangeSet.of(change, base.doc.length);
  return {
    effects: changeBase.of({ changes, breaks }),
    annotations: isolateHistory.of("full"),
    userEvent: "accept",
  };
}

function reject(state: EditorState, chunk: Chunk): TransactionSpec {
  const { base, result } = draftOf(state);
  const copy = { from: base, start: chunk.fromA, end: chunk.toA };
  const place = { to: result, start: chunk.fromB, end: chunk.toB };
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
