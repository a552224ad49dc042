import { changedPart } from "./changed-part.ts";

/**
 * Combines two changes of one text: the result contains the insertions of both, and lacks the deletions of both.
 * Where both changed the same place, the other's insertion comes first.
 */
export function mergeTyped(base: string, own: string, other: string): string {
  if (base === other) return own;
  if (base === own || own === other) return other;
  const mine = changedPart(base, own);
  const theirs = changedPart(base, other);
  const inserted = own.slice(mine.newFrom, mine.newTo);
  const others = other.slice(theirs.newFrom, theirs.newTo);
  if (mine.from === theirs.from && mine.to === theirs.to) {
    // The same typing at two points in time.
    if (inserted.startsWith(others)) return own;
    if (others.startsWith(inserted)) return other;
  }
  if (mine.to <= theirs.from) return replace(other, mine.from, mine.to, inserted);
  if (mine.from >= theirs.to) {
    const moved = theirs.newTo - theirs.to;
    return replace(other, mine.from + moved, mine.to + moved, inserted);
  }
  const to = Math.max(mine.to, theirs.to);
  return replace(base, Math.min(mine.from, theirs.from), to, others + inserted);
}

function replace(text: string, from: number, to: number, by: string): string {
  return text.slice(0, from) + by + text.slice(to);
}
