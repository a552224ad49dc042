/** Larger blocks are paired in order: nobody reads them word by word. */
const MAX_SEARCH_LINES = 100;
const MIN_LIKENESS = 0.5;
const MAX_LINE_LENGTH = 1_000;

/** The index of a removed line, and of the added line that was probably made from it. */
export type LinePair = readonly [removed: number, added: number];

/** Finds which added line was made from which removed one; the order of both is kept. */
export function pairLines(
  removed: readonly string[],
  added: readonly string[],
): readonly LinePair[] {
  const isLarge = Math.max(removed.length, added.length) > MAX_SEARCH_LINES;
  if (isLarge || removed.length === added.length) {
    const count = Math.min(removed.length, added.length);
    return Array.from({ length: count }, (_, index) => [index, index]);
  }
  const removedWords = removed.map(wordsOf);
  const addedWords = added.map(wordsOf);
  const pairs: LinePair[] = [];
  let next = 0;
  for (const [index, words] of removedWords.entries()) {
    const best = findLikest(words, addedWords, next);
    if (best === undefined) continue;
    pairs.push([index, best]);
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

/** The share of words that both have, from 0 to 1. */
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
