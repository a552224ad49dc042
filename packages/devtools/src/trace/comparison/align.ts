import { diffArrays } from "diff/lib/diff/array.js";
import type { Side } from "./model.ts";

/** Corresponding entries of two lists, or an entry without a counterpart. */
export type Aligned<T> =
  | readonly [a: T, b: T]
  | readonly [a: T, b: undefined]
  | readonly [a: undefined, b: T];

/** How entries are matched. */
export interface AlignOptions<T> {
  /** Equal for equal entries. */
  readonly digest: (entry: T, side: Side) => string;
  /** Equal for entries that may correspond. */
  readonly key: (entry: T) => string;
}

/**
 * Lists with more differences are paired by key and order alone. A number rather than a time, so that the
 * result is the same on any machine.
 */
const MAX_EDITS = 1_000;

/** Aligns two lists: equal entries in the same order first, entries between them by key and order. */
export function align<T>(
  a: readonly T[],
  b: readonly T[],
  { digest, key }: AlignOptions<T>,
): readonly Aligned<T>[] {
  const ids = new Map<string, number>();
  const idOf = (text: string): number => {
    const id = ids.get(text) ?? ids.size;
    ids.set(text, id);
    return id;
  };
  const left = a.map((entry) => idOf(digest(entry, "a")));
  const right = b.map((entry) => idOf(digest(entry, "b")));
  const changes = diffArrays(left, right, { maxEditLength: MAX_EDITS });
  if (changes === undefined) return pairByKey(a, b, key);
  const runs: (readonly Aligned<T>[])[] = [];
  /** How far both lists are aligned, and how far they are read. */
  let [doneA, doneB, atA, atB] = [0, 0, 0, 0];
  const closeGap = (): void => {
    runs.push(pairByKey(a.slice(doneA, atA), b.slice(doneB, atB), key));
    [doneA, doneB] = [atA, atB];
  };
  for (const { added, removed, count } of changes) {
    const isSame = !added && !removed;
    if (isSame) closeGap();
    if (!added) atA += count;
    if (!removed) atB += count;
    if (!isSame) continue;
    runs.push(a.slice(doneA, atA).map((entry, step) => [entry, b[doneB + step] as T]));
    [doneA, doneB] = [atA, atB];
  }
  closeGap();
  return runs.flat();
}

/** Pairs the nth entry of each key with the nth of that key in the other list. */
export function pairByKey<T>(
  a: readonly T[],
  b: readonly T[],
  key: (entry: T) => string,
): readonly Aligned<T>[] {
  const places = new Map<string, { readonly at: number; readonly entry: T }[]>();
  for (const [at, entry] of [...b.entries()].reverse()) {
    const same = places.get(key(entry));
    if (same === undefined) places.set(key(entry), [{ at, entry }]);
    else same.push({ at, entry });
  }
  const partners = a.map((entry) => places.get(key(entry))?.pop());
  const paired = new Set(partners.map((partner) => partner?.at));
  const aligned: Aligned<T>[] = [];
  let passed = 0;
  /** An entry without a partner follows its predecessor in its own list. */
  const pass = (until: number): void => {
    for (const entry of b.slice(passed, until)) {
      if (!paired.has(passed)) aligned.push([undefined, entry]);
      passed += 1;
    }
  };
  for (const [at, entry] of a.entries()) {
    const partner = partners[at];
    pass(partner?.at ?? 0);
    aligned.push(partner === undefined ? [entry, undefined] : [entry, partner.entry]);
  }
  pass(b.length);
  return aligned;
}
