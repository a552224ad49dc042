import { type AnyUnit, type KnownUnit, topLevelOf } from "../matching/known-unit.ts";
import { uniqueBy } from "../matching/match-equal.ts";
import { type KnownPairs, type MatchedTrees, matchTrees } from "../matching/match-trees.ts";
import { Similarity } from "../matching/similarity.ts";
import { UnitIndex } from "../matching/unit-index.ts";
import type { Anchor } from "../store/anchor.ts";
import { tokenCounts } from "../units/token.ts";
import type { Unit, UnitTree } from "../units/unit.ts";
import { lastIdentifier } from "../units/unit-builder.ts";
import { placeOfPoint } from "./place-of-point.ts";

/** A place where an orphaned or ambiguous comment might belong. */
export interface Candidate {
  /** Another file that the code may have moved to; absent for the comment's own file. */
  readonly filePath?: string;
  /** 1-based. */
  readonly line: number;
  /** 0 to 1: similarity of the code there to the lost code. */
  readonly score: number;
  /** The current text of the line, trimmed. */
  readonly text: string;
}

/** An old source compared with the current one. */
export interface Comparison {
  readonly known: readonly KnownUnit[];
  readonly trees: MatchedTrees;
  readonly tree: UnitTree;
}

export const mostCandidates = 3;
const least = 0.3;
/** Smaller statements occur in many files. */
const smallestElsewhere = 5;

/** The units most similar to the lost one, at most three, the likeliest first. */
export function candidatesFor(
  anchor: Anchor,
  { known, trees, tree }: Comparison,
): readonly Candidate[] {
  const gone = known[anchor.start.unit] ?? unitOf(anchor);
  return UnitIndex.of(tree)
    .like(gone)
    .filter(({ type }) => (type === "comment") === (gone.type === "comment"))
    .map((unit) => {
      const free = trees.pairing.isUnclaimed(unit) ? 1 : 0.8;
      return { line: unit.first?.line ?? 0, score: trees.similarity.of(gone, unit) * free };
    })
    .filter(({ score }) => score >= least)
    .sort((a, b) => b.score - a.score)
    .slice(0, mostCandidates)
    .map(({ line, score }) => ({
      line: line + 1,
      score: Math.round(score * 100) / 100,
      text: (tree.lines[line] ?? "").trim(),
    }));
}

/** An orphaned comment and its unit in the outline. */
export interface LostComment {
  readonly anchor: Anchor;
  readonly known: KnownUnit;
}

/**
 * Places in another source for comments whose declarations may have moved there, found by matching these
 * declarations with that source one to one. In the order given; undefined for those not found.
 */
export function movedTo(
  lost: readonly LostComment[],
  filePath: string,
  tree: UnitTree,
): readonly (Candidate | undefined)[] {
  const gone = forest(new Set(lost.map(({ known }) => topLevelOf(known))));
  const { pairing, similarity } = matchTrees(gone, tree, sameTexts(gone, tree));
  const byIndex = new Map(gone.map((unit) => [unit.index, unit]));
  const likenessOf = (unit: KnownUnit) => {
    const pair = pairing.pairOf(unit);
    return pair === undefined ? 0 : Math.min(pair.similarity, similarity.of(unit, pair.unit));
  };
  return lost.map(({ anchor, known }) => {
    const unit = byIndex.get(known.index);
    const pair = unit && pairing.pairOf(unit);
    const place = pair && placeOfPoint(anchor.start, pair);
    if (unit === undefined || place === undefined || place.isGone) return undefined;
    const score = 0.5 * likenessOf(unit) + 0.5 * likenessOf(topLevelOf(unit));
    if (score < least) return undefined;
    const { line } = place;
    const text = (tree.lines[line] ?? "").trim();
    return { filePath, line: line + 1, score: Math.round(score * 100) / 100, text };
  });
}

function textKey({ type, hash }: AnyUnit): string {
  return `${type} ${hash}`;
}

/** Pairs of equal text, whatever the name: a unit of the same name alone may have existed before. */
function sameTexts(gone: readonly KnownUnit[], tree: UnitTree): KnownPairs {
  const isLarge = ({ size }: AnyUnit) => size >= smallestElsewhere;
  const fresh = uniqueBy(tree.units.filter(isLarge), textKey);
  const pairs = new Map<KnownUnit, number>();
  for (const [key, known] of uniqueBy(gone[0]?.children ?? [], textKey)) {
    const unit = fresh.get(key);
    if (known !== undefined && unit !== undefined) pairs.set(known, unit.index);
  }
  return pairs;
}

type Draft = { -readonly [K in keyof KnownUnit]: KnownUnit[K] };

/** A tree of these declarations alone, parents first. */
function forest(tops: ReadonlySet<KnownUnit>): readonly KnownUnit[] {
  const units: KnownUnit[] = [];
  const copy = (unit: KnownUnit, parent: KnownUnit | undefined): KnownUnit => {
    const draft: Draft = { ...unit, parent, children: [] };
    units.push(draft);
    draft.children = unit.children.map((child) => copy(child, draft));
    return draft;
  };
  const nothing = { type: "file", name: undefined, size: 0, hash: "", head: "", tokens: undefined };
  const root: Draft = { ...nothing, index: -1, parent: undefined, children: [] };
  units.push(root);
  root.children = [...tops].map((top) => copy(top, root));
  return units;
}

/**
 * Places in another source for a comment whose unit is no longer in an outline: units of equal text, and, for
 * a declaration of the same name, similar units inside it or the declaration itself.
 */
export function candidatesIn(
  anchor: Anchor,
  filePath: string,
  tree: UnitTree,
): readonly Candidate[] {
  const gone = unitOf(anchor);
  const similarity = new Similarity();
  const name = lastIdentifier(gone.name);
  const index = UnitIndex.of(tree);
  const inScope = new Set(name === undefined ? [] : index.inDeclaration(name));
  const declared = [...inScope].filter((unit) => unit.name !== undefined);
  const like = index.like(gone, (unit) => inScope.has(unit));
  return [...new Set([...index.withHash(gone.hash), ...declared, ...like])].flatMap((unit) => {
    if (unit.first === undefined) return [];
    const isInScope = inScope.has(unit);
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

/** A unit that is no longer in an outline, rebuilt from its anchor. */
function unitOf({ start, type, hash, scope }: Anchor): KnownUnit {
  const tokens = start.tokens.map((text) => ({ text, counts: tokenCounts(text) }));
  const size = tokens.filter(({ counts }) => counts).length;
  const unit = { index: -1, type, hash, head: "", size, tokens };
  return { ...unit, name: scope.at(-1), parent: undefined, children: [] };
}
