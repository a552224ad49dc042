/** Larger blocks are paired in order, without comparing words. */
const MAX_SEARCH_LINES = 100;
const MIN_LIKENESS = 0.5;
const MAX_LINE_LENGTH = 1_000;

/** Pairs of removed and added lines, by index, in the same order on both sides. */
export interface LinePairs {
  addedFor(removed: number): number | undefined;
  removedFor(added: number): number | undefined;
}

export function pairLines(removed: readonly string[], added: readonly string[]): LinePairs {
  const isLarge = Math.max(removed.length, added.length) > MAX_SEARCH_LINES;
  if (isLarge || removed.length === added.length) {
    const count = Math.min(removed.length, added.length);
    const same = (index: number) => (index < count ? index : undefined);
    return { addedFor: same, removedFor: same };
  }
  const pairs = searchPairs(removed.map(wordsOf), added.map(wordsOf));
  const back = new Map([...pairs].map(([from, to]) => [to, from]));
  return { addedFor: (index) => pairs.get(index), removedFor: (index) => back.get(index) };
}

function searchPairs(
  removed: readonly (readonly string[])[],
  added: readonly (readonly string[])[],
): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  let next = 0;
  for (const [index, words] of removed.entries()) {
    const best = findLikest(words, added, next);
    if (best === undefined) continue;
    pairs.set(index, best);
    next = best + 1;
  }
  return pairs;
}

function findLikest(
  words: readonly string[],
  candidates: readonly (readonly string[])[],
  from: number,
): number | undefined {
  let best: number | undefined;
  let bestLikeness = MIN_LIKENESS;
  for (let index = from; index < candidates.length; index++) {
    const likeness = likenessOf(words, candidates[index] ?? []);
    if (likeness <= bestLikeness) continue;
    best = index;
    bestLikeness = likeness;
  }
  return best;
}

function wordsOf(text: string): readonly string[] {
  return text.slice(0, MAX_LINE_LENGTH).match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}

/** The share of common words, from 0 to 1. */
function likenessOf(one: readonly string[], other: readonly string[]): number {
  const longer = Math.max(one.length, other.length);
  if (longer === 0) return 0;
  const counts = new Map<string, number>();
  for (const word of one) counts.set(word, (counts.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of other) {
    const count = counts.get(word) ?? 0;
    if (count === 0) continue;
    counts.set(word, count - 1);
    shared += 1;
  }
  return shared / longer;
}
