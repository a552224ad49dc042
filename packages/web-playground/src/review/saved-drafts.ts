import { MAX_ITEM_UNITS, readItem, saveItem } from "../state/storage.ts";

const KEY = "idewire.drafts";

/** A diff whose review was closed before an answer. */
export interface LeftReview {
  readonly id: string;
  readonly path: string;
  readonly proposed: string;
}

/** The diffs of a page, for saving their drafts. */
interface PendingReviews {
  readonly reviews: readonly LeftReview[];
  /** Whether they outlive the page; a simulation does not. */
  readonly isLive: boolean;
}

/** The drafts by diff, newest last. */
const drafts = readDrafts();

/** The saved draft of a diff; undefined if there is none. */
export function savedDraft(review: LeftReview): string | undefined {
  return drafts.get(keyOf(review));
}

/**
 * Saves the draft of a pending review, and discards those of answered ones. Drafts of a live page are also saved
 * for a reload, the newest first, as far as the storage allows.
 */
export function saveDraft(
  review: LeftReview,
  text: string,
  { reviews, isLive }: PendingReviews,
): void {
  const key = keyOf(review);
  drafts.delete(key);
  if (text !== review.proposed) drafts.set(key, text);
  const wanted = new Set(reviews.map(keyOf));
  for (const each of drafts.keys()) if (!wanted.has(each)) drafts.delete(each);
  if (isLive) saveItem(KEY, newest(), "sessionStorage");
}

/** The newest drafts, as JSON that fits into the storage. */
function newest(): string {
  let units = 2;
  const kept = [...drafts].reverse().flatMap((draft) => {
    const text = JSON.stringify(draft);
    units += text.length + 1;
    return units <= MAX_ITEM_UNITS ? [text] : [];
  });
  return `[${kept.reverse().join(",")}]`;
}

/** The drafts of this tab from before a reload. */
function readDrafts(): Map<string, string> {
  try {
    const kept: unknown = JSON.parse(readItem(KEY, "sessionStorage") ?? "[]");
    return new Map(Array.isArray(kept) ? kept.filter(isDraft) : []);
  } catch {
    // Another program's page used this port in this tab.
    return new Map();
  }
}

function isDraft(value: unknown): value is [key: string, text: string] {
  return Array.isArray(value) && typeof value[0] === "string" && typeof value[1] === "string";
}

/** Ids restart with each simulation and each start of idewire. */
function keyOf({ id, path, proposed }: LeftReview): string {
  return JSON.stringify([id, path, proposed]);
}
