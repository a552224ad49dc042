import { findHidden } from "./hidden-characters.ts";
import { nameOfHidden } from "./hidden-names.ts";

/** A kind of hidden character that a diff adds, and its count. */
export interface AddedHidden {
  readonly codePoint: number;
  readonly name: string;
  readonly count: number;
}

/** The hidden characters that occur more often in `after` than in `before`, the most frequent first. */
export function countAddedHidden(before: string, after: string): readonly AddedHidden[] {
  const counts = new Map<number, number>();
  for (const { codePoint } of findHidden(after)) {
    counts.set(codePoint, (counts.get(codePoint) ?? 0) + 1);
  }
  if (counts.size === 0) return [];
  for (const { codePoint } of findHidden(before)) {
    const count = counts.get(codePoint);
    if (count !== undefined) counts.set(codePoint, count - 1);
  }
  return [...counts]
    .filter(([, count]) => count > 0)
    .map(([codePoint, count]) => ({ codePoint, name: nameOfHidden(codePoint), count }))
    .sort((one, other) => other.count - one.count || one.codePoint - other.codePoint);
}

const NAMED_AT_MOST = 6;

/**
 * The warning above a review: `This proposal adds 3 hidden characters: U+202E right-to-left override (2), U+200B
 * zero width space`. Undefined if it adds none.
 */
export function describeAddedHidden(added: readonly AddedHidden[]): string | undefined {
  if (added.length === 0) return undefined;
  const total = added.reduce((sum, { count }) => sum + count, 0);
  const named = added.slice(0, NAMED_AT_MOST).map(({ codePoint, name, count }) => {
    const number = codePoint.toString(16).toUpperCase().padStart(4, "0");
    return `U+${number} ${name}${count > 1 ? ` (${count})` : ""}`;
  });
  if (added.length > NAMED_AT_MOST) named.push(`${added.length - NAMED_AT_MOST} other kinds`);
  const what = total === 1 ? "a hidden character" : `${total} hidden characters`;
  return `This proposal adds ${what}: ${named.join(", ")}`;
}
