import type { KnownUnit } from "../matching/known-unit.ts";
import type { MatchedTrees } from "../matching/match-trees.ts";
import { Similarity } from "../matching/similarity.ts";
import type { Anchor } from "../store/anchor.ts";
import { tokenCounts } from "../units/token.ts";
import type { UnitTree } from "../units/unit.ts";
import { lastIdentifier } from "../units/unit-builder.ts";

/** A place where a comment without one might belong. */
export interface Candidate {
  /** Of another file that the code may have gone to; absent in the comment's own. */
  readonly filePath?: string;
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
/** Smaller statements are in many files. */
const smallestElsewhere = 5;

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

/** Places in another source for a comment that has lost its code: equal text, or the same name. */
export function candidatesIn(
  anchor: Anchor,
  filePath: string,
  tree: UnitTree,
): readonly Candidate[] {
  const gone = unitOf(anchor);
  const similarity = new Similarity(tree);
  const name = lastIdentifier(gone.name);
  return tree.units.flatMap((unit) => {
    const isEqual = unit.hash === gone.hash && gone.size >= smallestElsewhere;
    const isNamed = name !== undefined && lastIdentifier(unit.name) === name;
    if (unit.first === undefined || (!isEqual && !isNamed)) return [];
    const score = isEqual ? 1 : 0.5 + similarity.of(gone, unit) / 3;
    const { line } = unit.first;
    const text = (tree.lines[line] ?? "").trim();
    return [{ filePath, line: line + 1, score: Math.round(score * 100) / 100, text }];
  });
}

/** What is known of a unit that no outline has any more. */
function unitOf({ start, type, hash, scope }: Anchor): KnownUnit {
  const tokens = start.tokens.map((text) => ({ text, counts: tokenCounts(text) }));
  const size = tokens.filter(({ counts }) => counts).length;
  const unit = { index: -1, type, hash, head: "", size, tokens };
  return { ...unit, name: scope.at(-1), parent: undefined, children: [] };
}
