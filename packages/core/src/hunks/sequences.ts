import { diffArrays } from "diff/lib/diff/array.js";

/** A run `[fromA, toA)` of one sequence that is `[fromB, toB)` in the other. */
export interface SequenceChange {
  readonly fromA: number;
  readonly toA: number;
  readonly fromB: number;
  readonly toB: number;
}

/**
 * Gaps with more removed and added items than this are one change. A number rather than a time, so that the
 * result is the same on any machine.
 */
const MAX_EDITS = 1_000;

/** Gaps within gaps are searched for anchors to this depth. */
const MAX_DEPTH = 50;

/**
 * The changes between two sequences of lines or words, in order, never adjacent. Takes little more
 * time than proportional to the length for any content: equal ends and items that are unique in both are matched
 * first, then those that are unique in the gaps between them; the rest is compared by `diff`.
 */
export function diffSequences(a: readonly string[], b: readonly string[]): SequenceChange[] {
  const { fromA, toA, fromB, toB } = trim(a, b, wholeOf(a, b));
  const kinds = new Map<string, number>();
  const number = (item: string) => {
    const known = kinds.get(item);
    if (known !== undefined) return known;
    kinds.set(item, kinds.size);
    return kinds.size - 1;
  };
  const found: SequenceChange[] = [];
  const numbers = {
    a: Uint32Array.from(a.slice(fromA, toA), number),
    b: Uint32Array.from(b.slice(fromB, toB), number),
  };
  diffRange({ ...numbers, found }, wholeOf(numbers.a, numbers.b), 0);
  return joinTouching(found).map((change) => ({
    fromA: change.fromA + fromA,
    toA: change.toA + fromA,
    fromB: change.fromB + fromB,
    toB: change.toB + fromB,
  }));
}

function wholeOf(a: ArrayLike<unknown>, b: ArrayLike<unknown>): SequenceChange {
  return { fromA: 0, toA: a.length, fromB: 0, toB: b.length };
}

interface Search {
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  readonly found: SequenceChange[];
}

function diffRange(search: Search, whole: SequenceChange, depth: number): void {
  const range = trim(search.a, search.b, whole);
  if (isEmpty(range)) return;
  if (range.fromA === range.toA || range.fromB === range.toB) {
    search.found.push(range);
    return;
  }
  const anchors = depth < MAX_DEPTH ? findAnchors(search, range) : [];
  if (anchors.length === 0) {
    searchGap(search, range);
    return;
  }
  let { fromA, fromB } = range;
  for (const [atA, atB] of anchors) {
    diffRange(search, { fromA, toA: atA, fromB, toB: atB }, depth + 1);
    fromA = atA + 1;
    fromB = atB + 1;
  }
  diffRange(search, { ...range, fromA, fromB }, depth + 1);
}

/** A range without the equal items at its ends. */
function trim<T>(a: ArrayLike<T>, b: ArrayLike<T>, range: SequenceChange): SequenceChange {
  const { fromA, toA, fromB, toB } = range;
  let start = 0;
  const shorter = Math.min(toA - fromA, toB - fromB);
  while (start < shorter && a[fromA + start] === b[fromB + start]) start += 1;
  let end = 0;
  while (end < shorter - start && a[toA - end - 1] === b[toB - end - 1]) end += 1;
  return { fromA: fromA + start, toA: toA - end, fromB: fromB + start, toB: toB - end };
}

function isEmpty({ fromA, toA, fromB, toB }: SequenceChange): boolean {
  return fromA === toA && fromB === toB;
}

/** Pairs of positions of items that are unique in both ranges, ascending on both sides. */
function findAnchors({ a, b }: Search, range: SequenceChange): (readonly [number, number])[] {
  const inA = uniquePositions(a, range.fromA, range.toA);
  const inB = uniquePositions(b, range.fromB, range.toB);
  const pairs: (readonly [number, number])[] = [];
  for (const [item, atA] of inA) {
    const atB = inB.get(item);
    if (atA !== AGAIN && atB !== undefined && atB !== AGAIN) pairs.push([atA, atB]);
  }
  return longestRise(pairs);
}

const AGAIN = -1;

/** The position of each item that occurs once, ascending; {@link AGAIN} for the others. */
function uniquePositions(items: Uint32Array, from: number, to: number): Map<number, number> {
  const positions = new Map<number, number>();
  for (let at = from; at < to; at += 1) {
    const item = items[at] ?? 0;
    positions.set(item, positions.has(item) ? AGAIN : at);
  }
  return positions;
}

/** The longest subsequence of the pairs that ascends in B too, by patience sorting. */
function longestRise(pairs: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const tops: number[] = [];
  const before = new Int32Array(pairs.length).fill(-1);
  for (const [index, [, atB]] of pairs.entries()) {
    const pile = firstPileAbove(pairs, tops, atB);
    before[index] = tops[pile - 1] ?? -1;
    tops[pile] = index;
  }
  const rise: (readonly [number, number])[] = [];
  for (let index = tops.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) {
    const pair = pairs[index];
    if (pair !== undefined) rise.push(pair);
  }
  return rise.reverse();
}

function firstPileAbove(
  pairs: readonly (readonly [number, number])[],
  tops: readonly number[],
  atB: number,
): number {
  let low = 0;
  let high = tops.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const top = pairs[tops[middle] ?? 0]?.[1] ?? 0;
    if (top < atB) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Compares a range that no unique item divides. */
function searchGap({ a, b, found }: Search, range: SequenceChange): void {
  const ours = a.subarray(range.fromA, range.toA);
  const theirs = b.subarray(range.fromB, range.toB);
  const kinds = new Set(ours);
  const parts = theirs.some((item) => kinds.has(item))
    ? diffArrays([...ours], [...theirs], { maxEditLength: MAX_EDITS })
    : undefined;
  if (parts === undefined) {
    found.push(range);
    return;
  }
  let { fromA, fromB } = range;
  for (const { added, removed, count } of parts) {
    const toA = added ? fromA : fromA + count;
    const toB = removed ? fromB : fromB + count;
    if (added || removed) found.push({ fromA, toA, fromB, toB });
    fromA = toA;
    fromB = toB;
  }
}

function joinTouching(changes: readonly SequenceChange[]): SequenceChange[] {
  const joined: SequenceChange[] = [];
  for (const change of changes) {
    const last = joined.at(-1);
    if (last !== undefined && last.toA === change.fromA && last.toB === change.fromB) {
      joined[joined.length - 1] = { ...last, toA: change.toA, toB: change.toB };
    } else joined.push(change);
  }
  return joined;
}

/** Splits a text into lines with their breaks; joined they are the text. */
export function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Converts positions in two sequences to offsets in their joined texts. */
export function locate(
  changes: readonly SequenceChange[],
  a: readonly string[],
  b: readonly string[],
): SequenceChange[] {
  const inA = walker(a);
  const inB = walker(b);
  return changes.map(({ fromA, toA, fromB, toB }) => ({
    fromA: inA(fromA),
    toA: inA(toA),
    fromB: inB(fromB),
    toB: inB(toB),
  }));
}

/** Converts ascending indexes to offsets. */
function walker(items: readonly string[]): (index: number) => number {
  let at = 0;
  let offset = 0;
  return (index) => {
    for (; at < index; at += 1) offset += items[at]?.length ?? 0;
    return offset;
  };
}
