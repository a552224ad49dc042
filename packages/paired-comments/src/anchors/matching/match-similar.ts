import { type KnownUnit, scopeOf } from "./known-unit.ts";
import { neighboursInCommon } from "./match-declarations.ts";
import { likenessByName } from "./match-gaps.ts";
import type { Pairing } from "./pairing.ts";
import type { Similarity } from "./similarity.ts";
import type { UnitIndex } from "./unit-index.ts";

const likeEnough = 0.62;
const margin = 0.08;

/**
 * Pairs units with comments that have changed and left their block, if one unit of the same declaration is
 * clearly the most similar.
 */
export function matchSimilar(
  before: readonly KnownUnit[],
  index: UnitIndex,
  pairing: Pairing,
  similarity: Similarity,
): void {
  for (const known of before) {
    if (known.tokens === undefined || !pairing.isFree(known)) continue;
    const scope = pairing.unitOf(scopeOf(known));
    if (scope === undefined) continue;
    const isComment = known.type === "comment";
    const [first, second] = index
      .like(known, (unit) => pairing.isUnclaimed(unit) && scopeOf(unit) === scope)
      .filter(({ type }) => (type === "comment") === isComment)
      .map((unit) => ({
        unit,
        score:
          similarity.of(known, unit) * likenessByName(known, unit, false) +
          0.05 * neighboursInCommon(known, unit, pairing),
      }))
      .sort((a, b) => b.score - a.score);
    if (first === undefined || first.score < likeEnough) continue;
    if (pairing.isOfOtherCase(known, first.unit)) continue;
    if (second !== undefined && first.score - second.score < margin) continue;
    pairing.add(known, {
      unit: first.unit,
      reason: "similar",
      similarity: Math.min(1, first.score),
    });
  }
}
