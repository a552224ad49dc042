import type { Token } from "../units/token.ts";

const mostSkipped = 4;

/** The text beside a token; undefined at the end of its unit. */
export type Neighbour = string | undefined;

/** Weighted count of the old neighbours that are still present, in order; near ones count more. */
export function inCommon(
  texts: readonly Neighbour[],
  own: readonly Token[],
  from: number,
  step: 1 | -1,
): number {
  let score = 0;
  let next = from + step;
  for (const [distance, text] of texts.entries()) {
    let [reach, skipped] = [next, 0];
    for (; skipped < mostSkipped && own[reach]?.text !== text; reach += step) {
      if (own[reach]?.counts !== false) skipped++;
    }
    if (own[reach]?.text !== text) continue;
    score += 1 / (1 + distance) / (1 + skipped / mostSkipped);
    next = reach + step;
  }
  return score;
}
