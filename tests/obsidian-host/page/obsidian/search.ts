export type SearchMatches = [number, number][];

export interface SearchResult {
  score: number;
  matches: SearchMatches;
}

/** Matches all letters of the query in order; the closer together, the higher the score. */
export function prepareFuzzySearch(query: string): (text: string) => SearchResult | null {
  const letters = [...query.toLowerCase().replace(/\s/g, "")];
  return (text) => {
    const lower = text.toLowerCase();
    const matches: SearchMatches = [];
    let at = 0;
    for (const letter of letters) {
      const found = lower.indexOf(letter, at);
      if (found < 0) return null;
      const last = matches.at(-1);
      if (last?.[1] === found) last[1] = found + 1;
      else matches.push([found, found + 1]);
      at = found + 1;
    }
    return { score: -matches.length - text.length / 1000, matches };
  };
}
