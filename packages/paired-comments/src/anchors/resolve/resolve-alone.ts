import { UnitIndex } from "../matching/unit-index.ts";
import type { Anchor } from "../store/anchor.ts";
import { makeAnchor, quoteOf } from "../store/make-anchor.ts";
import type { Unit, UnitTree } from "../units/unit.ts";
import { lastIdentifier } from "../units/unit-builder.ts";
import { type Candidate, candidatesIn, mostCandidates } from "./candidates.ts";
import { evenOdds, sure } from "./place-of-line.ts";
import { placeOfPoint } from "./place-of-point.ts";
import type { AnchoredLines, Resolution } from "./resolve.ts";

/** A place in a unit of equal text, or of the same declaration. */
interface FoundPlace {
  readonly line: number;
  readonly endLine?: number;
  readonly unit: Unit;
  readonly confidence: number;
  /** How many of the two adjacent lines are unchanged; -1 if the line itself has changed. */
  readonly neighbours: number;
  /** Does the range end with the same code? */
  readonly isWhole: boolean;
}

/**
 * The place of a comment without an outline: the code of equal text in the same declarations, if it is the only
 * one.
 */
export function resolveAlone(comment: AnchoredLines, tree: UnitTree): Resolution {
  const places = unitsLike(comment.anchor, tree).flatMap((unit) => placeIn(unit, comment, tree));
  const whole = places.filter(({ neighbours, isWhole }) => neighbours === 2 && isWhole);
  const [place = places[0]] = whole;
  if (place === undefined) return lost(comment, tree);
  if (whole.length !== 1 && places.length > 1) return oneOf(places, comment, tree);
  const { line, endLine, confidence } = place;
  const range = endLine === undefined ? {} : { endLine };
  if (place.unit.hash !== comment.anchor.hash && confidence >= sure) {
    const how = "same declaration";
    return { line, ...range, status: "edited", confidence: 0.9 * confidence, how, candidates: [] };
  }
  const isSure = place.isWhole && place.neighbours >= (place.unit.name === undefined ? 1 : 0);
  if (!isSure) return oneOf([place], comment, tree);
  const status = confidence < 1 ? "edited" : line === comment.line ? "exact" : "moved";
  const how = "same text in the same declaration";
  return { line, ...range, status, confidence, how, candidates: [] };
}

/** Units of equal text in the same declarations; else a declaration that may be the same, changed. */
function unitsLike({ type, scope, hash, start }: Anchor, tree: UnitTree): readonly Unit[] {
  const alike = UnitIndex.of(tree)
    .withScope(scope)
    .filter((unit) => unit.type === type);
  const same = alike.filter((unit) => unit.hash === hash);
  return same.length > 0 ? same : alike.filter((unit) => beginsWith(unit, start.tokens));
}

/** Does a declaration begin with these words, up to its name? A statement inside may have the same type. */
function beginsWith({ name, tokens }: Unit, words: readonly string[]): boolean {
  const own = lastIdentifier(name);
  const length = tokens.findIndex(({ text }) => text === own) + 1;
  return length > 0 && tokens.slice(0, length).every(({ text }, at) => text === words[at]);
}

function placeIn(
  unit: Unit,
  { anchor, ...was }: AnchoredLines,
  tree: UnitTree,
): readonly FoundPlace[] {
  const { start, end, quote } = anchor;
  const pair = { unit, reason: "text", similarity: 1 } as const;
  const place = placeOfPoint(start, pair);
  if (place === undefined || place.isGone) return [];
  const { confidence } = place;
  const line = place.line + 1;
  // In the same unit the end can be located; otherwise only its distance is known.
  const last = end?.unit === start.unit ? placeOfPoint(end, pair, true)?.line : undefined;
  const endLine =
    was.endLine === undefined
      ? undefined
      : last === undefined
        ? line + was.endLine - was.line
        : last + 1;
  const { exact, prefix, suffix } = quoteOf(tree.lines, place.line);
  const beside = Number(prefix === quote.prefix) + Number(suffix === quote.suffix);
  const endsAsBefore = () =>
    String(makeAnchor(tree, { line, endLine }).end?.tokens) === String(end?.tokens);
  const isWhole = last !== undefined || endLine === undefined || endsAsBefore();
  const neighbours = exact === quote.exact ? beside : -1;
  const range = endLine === undefined ? {} : { endLine };
  return [{ line, ...range, unit, confidence, neighbours, isWhole }];
}

/** An ambiguous result. */
function oneOf(
  places: readonly FoundPlace[],
  comment: AnchoredLines,
  { lines }: UnitTree,
): Resolution {
  const [first] = places;
  const score = Math.min(evenOdds, 1 / (places.length + 1));
  const candidates = places.slice(0, mostCandidates).map(({ line }) => ({
    line,
    score: Math.round(score * 100) / 100,
    text: (lines[line - 1] ?? "").trim(),
  }));
  const range = first?.endLine === undefined ? {} : { endLine: first.endLine };
  const how =
    places.length > 1
      ? "the same code occurs several times"
      : "same text in the same declaration, with other lines around it";
  const line = first?.line ?? comment.line;
  return { line, ...range, status: "ambiguous", confidence: score, how, candidates };
}

function lost(comment: AnchoredLines, tree: UnitTree): Resolution {
  const { line, endLine, anchor } = comment;
  const range = endLine === undefined ? {} : { endLine };
  const candidates: readonly Candidate[] = [...candidatesIn(anchor, "", tree)]
    .sort((a, b) => b.score - a.score)
    .slice(0, mostCandidates)
    .map(({ filePath: _, ...candidate }) => candidate);
  const how = "its code is gone";
  return { line, ...range, status: "orphaned", confidence: 0, how, candidates };
}
