import type { KnownUnit } from "../matching/known-unit.ts";
import type { MatchedTrees } from "../matching/match-trees.ts";
import type { Anchor } from "../store/anchor.ts";
import { tokenCounts } from "../units/token.ts";
import type { UnitTree } from "../units/unit.ts";

/** A place where a comment without one might belong. */
export interface Candidate {
  /** 1-based. */
  readonly line: number;
  /** 0 to 1: how alike the code there is to the code that is gone. */
  readonly score: number;
  /** The line as it is, trimmed. */
  readonly text: string;
}

/** A source as it was and as it is, compared. */
export interface Comparison {
  readonly known: readonly KnownUnit[];
  readonly trees: MatchedTrees;
  readonly tree: UnitTree;
}

const most = 3;
const least = 0.3;

/** The units most like the one that is gone, at most three, the likeliest first. */
export function candidatesFor(
  anchor: Anchor,
  { known, trees, tree }: Comparison,
): readonly Candidate[] {
  const gone = known[anchor.start.unit] ?? unitOf(anchor);
  return trees.units
    .filter((unit) => unit.parent !== undefined)
    .filter(({ type }) => (type === "comment") === (gone.type === "comment"))
    .map((unit) => {
      const free = trees.pairing.isUnclaimed(unit) ? 1 : 0.8;
      return { line: unit.first?.line ?? 0, score: trees.similarity.of(gone, unit) * free };
    })
    .filter(({ score }) => score >= least)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ line, score }) => ({
      line: line + 1,
      score: Math.round(score * 100) / 100,
      text: (tree.lines[line] ?? "").trim(),
    }));
}

/** What is known of a unit that no outline has any more. */
function unitOf({ start, type, hash, scope }: Anchor): KnownUnit {
  const tokens = start.tokens.map((text) => ({ text, counts: tokenCounts(text) }));
  const size = tokens.filter(({ counts }) => counts).length;
  const unit = { index: -1, type, hash, head: "", size, tokens };
  return { ...unit, name: scope.at(-1), parent: undefined, children: [] };
}
