import type { Token } from "../units/token.ts";

const mostSkipped = 4;

/** What was beside a token: a text, or undefined for the end of its unit. */
export type Neighbour = string | undefined;

/** How many old neighbours of a place are there, in order, near ones counting more. */
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
