import { lstatSync, type Stats } from "node:fs";
import { commentsSuffix } from "../format/document.ts";

/** Times of files are as coarse as this on some disks: a file may change twice within one. */
const coarsestTime = 2_000;

/**
 * What tells a source as it is, with its comments if it has any, from any later ones, whatever the times and
 * sizes that are given to them; undefined where there is no source, and for what has changed just now.
 * @param path of the source, native
 */
export function stampOf(path: string, nowMs: number): readonly number[] | undefined {
  const source = factsOf(path);
  const comments = source && factsOf(path + commentsSuffix);
  if (source === undefined || !isSettled(source, nowMs)) return undefined;
  if (comments === undefined) return numbersOf(source);
  return isSettled(comments, nowMs) ? [...numbersOf(source), ...numbersOf(comments)] : undefined;
}

function numbersOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): readonly number[] {
  return [dev, ino, size, mtimeMs, ctimeMs];
}

function isSettled(facts: Stats, nowMs: number): boolean {
  // Nobody can set the time of change, but a write within its unit leaves it as it is; some disks have none.
  return facts.isFile() && facts.ctimeMs > 0 && nowMs - facts.ctimeMs >= coarsestTime;
}

/** Not of what a link leads to: that may be outside. */
function factsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
