/** A diff whose review was left before it was answered. */
interface LeftReview {
  readonly id: string;
  readonly path: string;
  readonly proposed: string;
}

/** What the person has made of a diff, by the diff. */
const drafts = new Map<string, string>();

/** The text as the person has left it; undefined when nothing is kept. */
export function keptDraft(review: LeftReview): string | undefined {
  return drafts.get(keyOf(review));
}

/** Keeps the text of a review while that is pending, and forgets those that are not any more. */
export function keepDraft(review: LeftReview, text: string, pending: readonly LeftReview[]): void {
  drafts.set(keyOf(review), text);
  const wanted = new Set(pending.map(keyOf));
  for (const key of drafts.keys()) if (!wanted.has(key)) drafts.delete(key);
}

/** Ids begin anew with each simulation. */
function keyOf({ id, path, proposed }: LeftReview): string {
  return JSON.stringify([id, path, proposed]);
}
