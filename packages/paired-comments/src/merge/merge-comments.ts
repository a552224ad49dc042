import type { PairedComment } from "../format/document.ts";
import { isEqual, mergeUnknown } from "./merge-unknown.ts";

/** Do they say the same, apart from when? */
export function isSameContent(a: PairedComment, b: PairedComment): boolean {
  return contentOf(a) === contentOf(b);
}

/**
 * One comment of two versions with one id: of each field the version that has changed it, else the later
 * one. Undefined where they are two comments, or where both have a new text.
 * @param clash `later`: of two new texts the later one stays
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
  // The keys and the values of comments, put together anew.
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

/** Those of both, by id, in the order of their times. */
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
