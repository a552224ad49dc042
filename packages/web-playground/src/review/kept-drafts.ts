import { keep, readKept } from "../state/storage.ts";

const KEY = "idewire.drafts";
/** How much is kept for a reload of the tab, in UTF-16 units: its storage is small. */
const MAX_UNITS = 1_000_000;

/** A diff whose review was left before it was answered. */
interface LeftReview {
  readonly id: string;
  readonly path: string;
  readonly proposed: string;
}

/** What the diffs of a page are, for what is kept of them. */
interface PendingReviews {
  readonly reviews: readonly LeftReview[];
  /** Whether they outlast the page: a simulation ends with it. */
  readonly isLive: boolean;
}

/** What the person has made of a diff, by the diff; the newest is last. */
const drafts = readDrafts();

/** The text as the person has left it; undefined when nothing is kept. */
export function keptDraft(review: LeftReview): string | undefined {
  return drafts.get(keyOf(review));
}

/**
 * Keeps the text of a review while that is pending, and forgets those that are not any more. Those of a
 * live page are kept for a reload as well, the newest first, as long as there is room.
 */
export function keepDraft(
  review: LeftReview,
  text: string,
  { reviews, isLive }: PendingReviews,
): void {
  const key = keyOf(review);
  drafts.delete(key);
  if (text !== review.proposed) drafts.set(key, text);
  const wanted = new Set(reviews.map(keyOf));
  for (const each of drafts.keys()) if (!wanted.has(each)) drafts.delete(each);
  if (isLive) keep(KEY, JSON.stringify(newest(MAX_UNITS)), "sessionStorage");
}

function newest(maxUnits: number): readonly (readonly [key: string, text: string])[] {
  let units = 0;
  const kept = [...drafts].reverse().filter(([key, text]) => {
    units += key.length + text.length;
    return units <= maxUnits;
  });
  return kept.reverse();
}

/** What this tab kept before it was loaded again. */
function readDrafts(): Map<string, string> {
  try {
    const kept: unknown = JSON.parse(readKept(KEY, "sessionStorage") ?? "[]");
    return new Map(Array.isArray(kept) ? kept.filter(isDraft) : []);
  } catch {
    // Something else was at this port in this tab.
    return new Map();
  }
}

function isDraft(value: unknown): value is [key: string, text: string] {
  return Array.isArray(value) && typeof value[0] === "string" && typeof value[1] === "string";
}

/** Ids begin anew with each simulation, and with each start of idewire. */
function keyOf({ id, path, proposed }: LeftReview): string {
  return JSON.stringify([id, path, proposed]);
}
