import type { KnownUnit } from "../matching/known-unit.ts";
import type { MatchedTrees } from "../matching/match-trees.ts";
import { Similarity } from "../matching/similarity.ts";
import type { Anchor } from "../store/anchor.ts";
import { scopeNames } from "../store/make-anchor.ts";
import { tokenCounts } from "../units/token.ts";
import type { Unit, UnitTree } from "../units/unit.ts";
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

/**
 * Places in another source for a comment that has lost its code: the same text, and in a declaration of
 * the same name what is like it, or the declaration itself.
 */
export function candidatesIn(
  anchor: Anchor,
  filePath: string,
  tree: UnitTree,
): readonly Candidate[] {
  const gone = unitOf(anchor);
  const similarity = new Similarity(tree);
  const name = lastIdentifier(gone.name);
  return tree.units.flatMap((unit) => {
    if (unit.first === undefined) return [];
    const isInScope = name !== undefined && lastIdentifier(scopeNames(unit).at(-1)) === name;
    const score = scoreElsewhere(gone, unit, isInScope, similarity);
    if (score === undefined) return [];
    const { line } = unit.first;
    const text = (tree.lines[line] ?? "").trim();
    return [{ filePath, line: line + 1, score: Math.round(score * 100) / 100, text }];
  });
}

function scoreElsewhere(
  gone: KnownUnit,
  unit: Unit,
  isInScope: boolean,
  similarity: Similarity,
): number | undefined {
  if (unit.hash === gone.hash && unit.type === gone.type) {
    if (isInScope) return 1;
    return gone.size >= smallestElsewhere ? 0.95 : undefined;
  }
  if (!isInScope) return undefined;
  const likeness = similarity.of(gone, unit);
  const isDeclaration = unit.name !== undefined;
  if (unit.type === gone.type)
    return isDeclaration || likeness > 0.4 ? 0.5 + likeness / 3 : undefined;
  return isDeclaration ? 0.4 + likeness / 4 : undefined;
}

/** What is known of a unit that no outline has any more. */
function unitOf({ start, type, hash, scope }: Anchor): KnownUnit {
  const tokens = start.tokens.map((text) => ({ text, counts: tokenCounts(text) }));
  const size = tokens.filter(({ counts }) => counts).length;
  const unit = { index: -1, type, hash, head: "", size, tokens };
  return { ...unit, name: scope.at(-1), parent: undefined, children: [] };
}
