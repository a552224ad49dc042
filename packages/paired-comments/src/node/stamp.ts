import { lstatSync, type Stats } from "node:fs";
import { commentsSuffix } from "../format/document.ts";

/** Times of files are as coarse as this on some disks: a file may change twice within one. */
const coarsestTime = 2_000;

/**
 * What tells a source with its comments as they are from any later ones, whatever the times and sizes that
 * are given to them; undefined where there are not both, and for those that have changed just now.
 * @param path of the source, native
 */
export function stampOf(path: string, nowMs: number): string | undefined {
  const source = stampOfFile(path, nowMs);
  const comments = source && stampOfFile(path + commentsSuffix, nowMs);
  return comments && `${source} ${comments}`;
}

function stampOfFile(path: string, nowMs: number): string | undefined {
  const facts = factsOf(path);
  if (facts?.isFile() !== true) return undefined;
  const { dev, ino, size, mtimeMs, ctimeMs } = facts;
  // Nobody can set the time of change, but a write within its unit leaves it as it is; some disks have none.
  if (ctimeMs <= 0 || nowMs - ctimeMs < coarsestTime) return undefined;
  return `${dev} ${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}

/** Not of what a link leads to: that may be outside. */
function factsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
