import type { ChangeDesc, Text } from "@codemirror/state";
import type { SequenceChange } from "@idewire/core/internal/hunks";

/** One of two compared documents, and what changes in it. */
export interface Side {
  readonly doc: Text;
  readonly changes: ChangeDesc | undefined;
}

/** The range to compare again, in each document before the change, and the hunks in it. */
export interface ChangedWindow extends SequenceChange {
  readonly first: number;
  /** After the last one. */
  readonly end: number;
}

/**
 * The whole lines that changes touch, together with the hunks that they touch; undefined without a change. All
 * lines outside hunks are equal in both documents, so that the rest needs no comparison.
 */
export function windowOf(
  hunks: readonly SequenceChange[],
  { a, b }: { readonly a: Side; readonly b: Side },
): ChangedWindow | undefined {
  const inA = changedLines(a);
  const inB = changedLines(b);
  const start = [
    ...(inA === undefined ? [] : [startAt(hunks, inA.from, "A")]),
    ...(inB === undefined ? [] : [startAt(hunks, inB.from, "B")]),
  ].sort((one, other) => one.a - other.a || one.b - other.b)[0];
  const end = [
    ...(inA === undefined ? [] : [endAt(hunks, inA.to, "A")]),
    ...(inB === undefined ? [] : [endAt(hunks, inB.to, "B")]),
  ].sort((one, other) => other.a - one.a || other.b - one.b)[0];
  if (start === undefined || end === undefined) return undefined;
  return {
    ...{ fromA: start.a, toA: end.a, fromB: start.b, toB: end.b },
    ...{ first: start.index, end: Math.max(start.index, end.index) },
  };
}

/** A part of a document as text. */
export function linesBetween(doc: Text, from: number, to: number): string {
  return doc.sliceString(from, Math.min(to, doc.length));
}

function changedLines({ doc, changes }: Side): { from: number; to: number } | undefined {
  let from = doc.length + 1;
  let to = -1;
  changes?.iterChangedRanges((fromA, toA) => {
    from = Math.min(from, fromA);
    to = Math.max(to, toA);
  });
  if (to < 0) return undefined;
  return { from: doc.lineAt(from).from, to: Math.min(doc.lineAt(to).to + 1, doc.length) };
}

/** The place in both documents that belongs to the start of a line in one of them. */
interface Place {
  readonly a: number;
  readonly b: number;
  /** The first hunk at or after the start; the one after the end. */
  readonly index: number;
}

function startAt(hunks: readonly SequenceChange[], at: number, side: "A" | "B"): Place {
  const index = firstFrom(hunks, (hunk) => hunk[`to${side}`] >= at);
  const hunk = hunks[index];
  if (hunk !== undefined && hunk[`from${side}`] <= at) {
    return { a: hunk.fromA, b: hunk.fromB, index };
  }
  return { ...place(hunks[index - 1], at, side), index };
}

function endAt(hunks: readonly SequenceChange[], at: number, side: "A" | "B"): Place {
  const index = firstFrom(hunks, (hunk) => hunk[`from${side}`] > at);
  const hunk = hunks[index - 1];
  if (hunk !== undefined && hunk[`to${side}`] >= at) return { a: hunk.toA, b: hunk.toB, index };
  return { ...place(hunk, at, side), index };
}

function place(before: SequenceChange | undefined, at: number, side: "A" | "B") {
  const offset = before === undefined ? 0 : before.toB - before.toA;
  return side === "A" ? { a: at, b: at + offset } : { a: at - offset, b: at };
}

/** The first hunk for which `holds` is true, and is for all after it, by binary search. */
export function firstFrom<T>(hunks: readonly T[], holds: (hunk: T) => boolean): number {
  let low = 0;
  let high = hunks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const hunk = hunks[middle];
    if (hunk !== undefined && holds(hunk)) high = middle;
    else low = middle + 1;
  }
  return low;
}
