/** A part of the old text, and its counterpart in the new one. */
export interface Part {
  readonly from: number;
  readonly to: number;
  readonly newFrom: number;
  readonly newTo: number;
}

const HIGH = /[\ud800-\udbff]/;
const LOW = /[\udc00-\udfff]/;

/** The parts of two texts between their common start and end, without half a surrogate pair. */
export function changedPart(before: string, after: string): Part {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from += 1;
  if (HIGH.test(before.charAt(from - 1))) from -= 1;
  let end = 0;
  while (end < shorter - from && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  if (end > 0 && LOW.test(before.charAt(before.length - end))) end -= 1;
  return { from, to: before.length - end, newFrom: from, newTo: after.length - end };
}
