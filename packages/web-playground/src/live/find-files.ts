/** A list of files to search in. */
export interface FileNames {
  readonly paths: readonly string[];
  readonly lower: readonly string[];
}

export function toFileNames(paths: readonly string[]): FileNames {
  return { paths, lower: paths.map((path) => path.toLowerCase()) };
}

/**
 * The files whose path has all the typed words, or at least their letters in order; names before folders, short
 * paths before long ones.
 */
export function findFiles({ paths, lower }: FileNames, typed: string): readonly string[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return paths;
  const found: { readonly path: string; readonly rank: number }[] = [];
  for (const [index, path] of lower.entries()) {
    let rank = 0;
    for (const word of words) rank += rankOf(path, word);
    const shown = paths[index];
    if (rank < Number.POSITIVE_INFINITY && shown !== undefined) found.push({ path: shown, rank });
  }
  found.sort((a, b) => a.rank - b.rank || a.path.length - b.path.length);
  return found.map(({ path }) => path);
}

/** 0 for the name itself, up to 4 for scattered letters. */
function rankOf(path: string, word: string): number {
  const slash = path.lastIndexOf("/") + 1;
  const at = path.indexOf(word, slash);
  if (at === slash) return path.length === at + word.length ? 0 : 1;
  if (at !== -1) return 2;
  if (path.includes(word)) return 3;
  let from = 0;
  for (const letter of word) {
    from = path.indexOf(letter, from) + 1;
    if (from === 0) return Number.POSITIVE_INFINITY;
  }
  return 4;
}
