import { lstatSync, type Stats } from "node:fs";
import { commentsSuffix } from "../format/document.ts";

/** Coarsest resolution of file times, in milliseconds: a file may change twice within it. */
const coarsestTime = 2_000;

/**
 * Numbers that change with every change of a source or its comments, even if modification time and size are
 * restored. Undefined without a source, and for files that changed just now.
 * @param path native path of the source
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
  // ctime cannot be set, but does not change within its resolution; some file systems have none.
  return facts.isFile() && facts.ctimeMs > 0 && nowMs - facts.ctimeMs >= coarsestTime;
}

/** Does not follow links, which may lead outside. */
function factsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
