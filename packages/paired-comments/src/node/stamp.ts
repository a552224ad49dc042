import { lstatSync, type Stats } from "node:fs";
import { commentsSuffix } from "../format/document.ts";

/** Times of files are as coarse as this on some disks: a file may change twice within one. */
const coarsestTime = 2_000;

/**
 * What tells a source with its comments as they are from any later ones, whatever the times and sizes that
 * are given to them; undefined where there are not both, and for those that have changed just now.
 * @param path of the source, native
 */
export function stampOf(path: string, nowMs: number): readonly number[] | undefined {
  const source = settledFacts(path, nowMs);
  const comments = source && settledFacts(path + commentsSuffix, nowMs);
  if (source === undefined || comments === undefined) return undefined;
  return [
    ...[source.dev, source.ino, source.size, source.mtimeMs, source.ctimeMs],
    ...[comments.dev, comments.ino, comments.size, comments.mtimeMs, comments.ctimeMs],
  ];
}

function settledFacts(path: string, nowMs: number): Stats | undefined {
  const facts = factsOf(path);
  if (facts?.isFile() !== true) return undefined;
  // Nobody can set the time of change, but a write within its unit leaves it as it is; some disks have none.
  const isSettled = facts.ctimeMs > 0 && nowMs - facts.ctimeMs >= coarsestTime;
  return isSettled ? facts : undefined;
}

/** Not of what a link leads to: that may be outside. */
function factsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
