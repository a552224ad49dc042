import type { CommentWorkspace } from "./workspace.ts";

const largestFile = 500_000;
/** Files parsed for each comment. */
const mostForOne = 6;
const mostForAll = 60;

/**
 * The sources that contain most terms of each comment, the likeliest first: only these are parsed. Rare terms
 * count more.
 * @param wanted terms of each comment
 */
export async function likeliestFiles(
  wanted: readonly (readonly string[])[],
  paths: readonly string[],
  workspace: Pick<CommentWorkspace, "readSource">,
): Promise<readonly string[]> {
  const terms = [...new Set(wanted.flat())];
  const filesOf = new Map(terms.map((term): [string, string[]] => [term, []]));
  for (const path of paths) {
    const source = await workspace.readSource(path).catch(() => undefined);
    if (source === undefined || source.length > largestFile) continue;
    for (const term of terms) if (source.includes(term)) filesOf.get(term)?.push(path);
  }
  const totals = new Map<string, number>();
  for (const own of wanted) {
    const scores = new Map<string, number>();
    for (const term of own) {
      const files = filesOf.get(term) ?? [];
      for (const path of files) scores.set(path, (scores.get(path) ?? 0) + 1 / files.length);
    }
    for (const [path, score] of highest(scores, mostForOne)) {
      totals.set(path, (totals.get(path) ?? 0) + score);
    }
  }
  return highest(totals, mostForAll).map(([path]) => path);
}

function highest(
  scores: ReadonlyMap<string, number>,
  count: number,
): readonly (readonly [string, number])[] {
  return [...scores].sort(([, a], [, b]) => b - a).slice(0, count);
}
