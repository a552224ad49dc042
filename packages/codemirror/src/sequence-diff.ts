import { diff } from "@codemirror/merge";

/** A run `[fromA, toA)` of one sequence that is `[fromB, toB)` in the other. */
export interface SequenceChange {
  readonly fromA: number;
  readonly toA: number;
  readonly fromB: number;
  readonly toB: number;
}

/** Above this the search gets less precise; the result is still a correct diff. */
const SCAN_LIMIT = 3000;

/** When a gap is searched, each distinct item is represented by one UTF-16 unit below the surrogates. */
const MAX_KINDS = 0xd800;

/**
 * The changes between two sequences of lines or words, in order, never adjacent. Takes time proportional
 * to the length for any content: equal ends and items that are unique in both are matched first, and only
 * the gaps between them are searched.
 */
export function diffSequences(a: readonly string[], b: readonly string[]): SequenceChange[] {
  const kinds = new Map<string, number>();
  const number = (item: string) => {
    const known = kinds.get(item);
    if (known !== undefined) return known;
    kinds.set(item, kinds.size);
    return kinds.size - 1;
  };
  const found: SequenceChange[] = [];
  const numbers = { a: Uint32Array.from(a, number), b: Uint32Array.from(b, number) };
  const sides = { ...numbers, kinds: kinds.size };
  diffRange(sides, { fromA: 0, toA: a.length, fromB: 0, toB: b.length }, found);
  return joinTouching(found);
}

interface Sides {
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  /** Number of distinct items in both. */
  readonly kinds: number;
}

function diffRange(sides: Sides, whole: SequenceChange, found: SequenceChange[]): void {
  const range = trim(sides, whole);
  if (isEmpty(range)) return;
  if (range.fromA === range.toA || range.fromB === range.toB) {
    found.push(range);
    return;
  }
  const anchors = findAnchors(sides, range);
  if (anchors.length === 0) {
    searchGap(sides, range, found);
    return;
  }
  let { fromA, fromB } = range;
  for (const [atA, atB] of anchors) {
    diffGap(sides, { fromA, toA: atA, fromB, toB: atB }, found);
    fromA = atA + 1;
    fromB = atB + 1;
  }
  diffGap(sides, { ...range, fromA, fromB }, found);
}

/** No recursion: nothing between two anchors is unique, or it would be an anchor. */
function diffGap(sides: Sides, whole: SequenceChange, found: SequenceChange[]): void {
  const range = trim(sides, whole);
  if (isEmpty(range)) return;
  if (range.fromA === range.toA || range.fromB === range.toB) found.push(range);
  else searchGap(sides, range, found);
}

function trim({ a, b }: Sides, { fromA, toA, fromB, toB }: SequenceChange): SequenceChange {
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
function findAnchors(sides: Sides, range: SequenceChange): (readonly [number, number])[] {
  const inA = uniquePositions(sides.a.subarray(range.fromA, range.toA), sides.kinds);
  const inB = uniquePositions(sides.b.subarray(range.fromB, range.toB), sides.kinds);
  const pairs: (readonly [number, number])[] = [];
  for (let at = range.fromA; at < range.toA; at += 1) {
    const kind = sides.a[at] ?? 0;
    const atB = inB[kind] ?? NONE;
    if (atB >= 0 && inA[kind] === at - range.fromA) pairs.push([at, atB + range.fromB]);
  }
  return longestRise(pairs);
}

const NONE = -1;
const AGAIN = -2;

/** The position of each item that occurs once. */
function uniquePositions(items: Uint32Array, kinds: number): Int32Array {
  const positions = new Int32Array(kinds).fill(NONE);
  for (let at = 0; at < items.length; at += 1) {
    const kind = items[at] ?? 0;
    positions[kind] = positions[kind] === NONE ? at : AGAIN;
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

/** Searches a gap with the library, one character per distinct item. */
function searchGap(sides: Sides, range: SequenceChange, found: SequenceChange[]): void {
  const codes = new Map<number, number>();
  const a = encode(sides.a.subarray(range.fromA, range.toA), codes);
  const b = encode(sides.b.subarray(range.fromB, range.toB), codes);
  if (codes.size >= MAX_KINDS) {
    found.push(range);
    return;
  }
  for (const { fromA, toA, fromB, toB } of diff(a, b, { scanLimit: SCAN_LIMIT })) {
    const change = {
      fromA: fromA + range.fromA,
      toA: toA + range.fromA,
      fromB: fromB + range.fromB,
      toB: toB + range.fromB,
    };
    // The library may report an empty change.
    if (!isEmpty(change)) found.push(change);
  }
}

function encode(items: Uint32Array, codes: Map<number, number>): string {
  const units: string[] = [];
  for (const item of items) {
    const known = codes.get(item) ?? codes.size;
    codes.set(item, known);
    units.push(String.fromCharCode(known % MAX_KINDS));
  }
  return units.join("");
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
