import type { PairedComment } from "../format/document.ts";
import { isEqual, mergeUnknown } from "./merge-unknown.ts";

/** Equal except for the time of their last change? */
export function isSameContent(a: PairedComment, b: PairedComment): boolean {
  return contentOf(a) === contentOf(b);
}

/**
 * Merges two versions of a comment: takes each field from the version that changed it, else from the later one.
 * Undefined if these are two different comments, or both versions have a new text.
 * @param clash `later`: of two new texts, keep the later one
 */
export function mergeComments(
  base: PairedComment | undefined,
  ours: PairedComment,
  theirs: PairedComment,
  clash: "both" | "later",
): PairedComment | undefined {
  if (isSameContent(ours, theirs)) return later(ours, theirs);
  if (ours.created !== theirs.created || ours.author !== theirs.author) return undefined;
  const isOursNew = base === undefined || base.text !== ours.text;
  const isTheirsNew = base === undefined || base.text !== theirs.text;
  const isClash = isOursNew && isTheirsNew && ours.text !== theirs.text;
  if (isClash && clash === "both") return undefined;
  const last = later(ours, theirs);
  const first = last === ours ? theirs : ours;
  const merged = new Map<string, unknown>();
  for (const key of new Set([...Object.keys(first), ...Object.keys(last)])) {
    const value = mergeField(key as keyof PairedComment, { base, first, last });
    if (value !== undefined) merged.set(key, value);
  }
  // All keys and values come from comments.
  return Object.fromEntries(merged) as unknown as PairedComment;
}

interface Versions {
  readonly base: PairedComment | undefined;
  readonly first: PairedComment;
  readonly last: PairedComment;
}

function mergeField(key: keyof PairedComment, { base, first, last }: Versions): unknown {
  if (key === "replies") return mergeReplies(first, last);
  if (key === "unknown") return mergeUnknown(base?.unknown, last.unknown, first.unknown);
  if (key === "updated") return last.updated;
  const isLastAsBefore = base !== undefined && isEqual(base[key], last[key]);
  return isLastAsBefore ? first[key] : last[key];
}

/** The replies of both, by id, sorted by time. */
function mergeReplies(first: PairedComment, last: PairedComment): PairedComment["replies"] {
  const all = [...(first.replies ?? []), ...(last.replies ?? [])];
  const byId = new Map(all.map((reply) => [reply.id, reply]));
  const replies = [...byId.values()].sort((a, b) => compare(a.created, b.created));
  return replies.length === 0 ? undefined : replies;
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function later(ours: PairedComment, theirs: PairedComment): PairedComment {
  return timeOf(theirs) > timeOf(ours) ? theirs : ours;
}

function timeOf({ updated }: PairedComment): number {
  return Date.parse(updated) || 0;
}

function contentOf({ updated: _, ...rest }: PairedComment): string {
  return JSON.stringify(Object.entries(rest).sort(([a], [b]) => compare(a, b)));
}
