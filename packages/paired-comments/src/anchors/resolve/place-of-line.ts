import type { Point, Surroundings } from "../store/anchor.ts";
import { tokensAround } from "../store/make-anchor.ts";
import { isDistinctive, type Token, tokenCounts } from "../units/token.ts";
import { tokensInside, type Unit } from "../units/unit.ts";
import { inCommon, type Neighbour } from "./tokens-in-common.ts";

/** The current position of a point. */
export interface Place {
  /** 0-based. */
  readonly line: number;
  /** 0 to 1. */
  readonly confidence: number;
  /** Is the line itself gone, so that this is an adjacent one? */
  readonly isGone?: boolean;
}

/** An anchored line, in tokens that no formatter drops. */
interface OldLine {
  readonly texts: readonly string[];
  /** Its distinctive tokens: names, numbers, strings. */
  readonly distinctive: readonly string[];
  /** The nearest first. */
  readonly before: readonly Neighbour[];
  readonly after: readonly Neighbour[];
  /** Does it occur more than once in the unit? */
  readonly isRepeated: boolean;
}

/** A range of tokens. */
interface Part {
  readonly from: number;
  readonly to: number;
  /** How many of the line's distinctive tokens it contains. */
  readonly kept: number;
  /** Is it the whole line, unchanged? */
  readonly isWhole?: boolean;
}

/** Confidence of a place whose code occurs twice: the text is right, whichever copy is meant. */
export const evenOdds = 0.5;
/** Below this confidence a place is reported as a guess. */
export const sure = 0.2;
export const guess: number = sure / 2;
/** Weight of the line's own tokens: low, since similar lines share them. */
const weightOfOwn = 0.05;
/** Maximum distance, in tokens, at which a changed line is searched for. */
const farthest = 500;

/**
 * The place of a line with more than brackets: the tokens equal to the whole line, else those between its old
 * neighbours.
 */
export function placeOfLine({ tokens, around }: Point, unit: Unit): Place | undefined {
  const line = around && lineOf(around, tokens);
  if (line === undefined || line.distinctive.length === 0) return undefined;
  const all = around?.isDeep ? tokensInside(unit) : unit.tokens;
  const own = all.filter(({ counts }) => counts);
  const was = all.slice(0, around?.place).filter(({ counts }) => counts).length;
  const whole = line.isRepeated ? [] : partsEqual(line, own);
  const parts = whole.length > 0 ? whole : partsNear(was, line, own);
  return placeIn(bestPart(line, own, parts, was), line, own);
}

function lineOf(
  { index, tokens, onLine = 1, place = index }: Surroundings,
  first: readonly string[],
): OldLine {
  const texts = tokens.slice(index, index + onLine).filter(tokenCounts);
  const before: Neighbour[] = tokens.slice(0, index).filter(tokenCounts).reverse();
  const after: Neighbour[] = tokens.slice(index + onLine).filter(tokenCounts);
  if (index === place) before.push(undefined);
  if (tokens.length - index - onLine < tokensAround) after.push(undefined);
  const isRepeated = [tokens, first].some((known) => timesIn(known.filter(tokenCounts), texts) > 1);
  return { texts, distinctive: texts.filter(isDistinctive), before, after, isRepeated };
}

function timesIn(texts: readonly string[], line: readonly string[]): number {
  return texts.filter((_, from) => line.every((text, at) => texts[from + at] === text)).length;
}

function partsEqual({ texts, distinctive }: OldLine, own: readonly Token[]): readonly Part[] {
  return [...own.keys()]
    .filter((from) => texts.every((text, at) => own[from + at]?.text === text))
    .map((from) => ({ from, to: from + texts.length, kept: distinctive.length, isWhole: true }));
}

function* partsNear(
  was: number,
  { texts, distinctive }: OldLine,
  own: readonly Token[],
): Iterable<Part> {
  const longest = 2 * texts.length + tokensAround;
  const last = Math.min(own.length, was + farthest);
  for (let from = Math.max(0, Math.min(was, own.length) - farthest); from <= last; from++) {
    const rest = [...distinctive];
    for (let to = from; to <= Math.min(own.length, from + longest); to++) {
      yield { from, to, kept: distinctive.length - rest.length };
      const place = rest.indexOf(own[to]?.text ?? "");
      if (place >= 0) rest.splice(place, 1);
    }
  }
}

/** The part with the most old neighbours beside it, then with most of the line inside, then the nearest. */
function bestPart(
  { distinctive, before, after }: OldLine,
  own: readonly Token[],
  parts: Iterable<Part>,
  was: number,
): Part {
  const above: number[] = [];
  const below: number[] = [];
  let best: Part = { from: 0, to: 0, kept: 0 };
  let most = Number.NEGATIVE_INFINITY;
  for (const part of parts) {
    const { from, to, kept } = part;
    above[from] ??= inCommon(before, own, from, -1);
    below[to] ??= inCommon(after, own, to - 1, 1);
    const distance = Math.abs(from - was) / 1e6;
    const beside = (above[from] ?? 0) + (below[to] ?? 0);
    const score = beside + (kept / distinctive.length) * weightOfOwn - distance;
    if (score <= most) continue;
    best = part;
    most = score;
  }
  return best;
}

/** Weight of a token by its distance from the anchored one. */
export function closeness(distance: number): number {
  return 1 / (1 + distance / 4);
}

function placeIn(
  { from, to, isWhole = false }: Part,
  { distinctive, before, after }: OldLine,
  own: readonly Token[],
): Place | undefined {
  const inside = own.slice(from, to);
  const [first] = inside;
  if (first !== undefined && isWhole) return { line: first.line, confidence: 1 };
  const isBetween = own[from - 1]?.text === before[0] && own[to]?.text === after[0];
  const kept = inside.filter(({ text }) => distinctive.includes(text));
  const [word] = kept;
  if (word !== undefined) {
    const isCertain = isBetween || kept.some(({ text }) => isOnly(text, own));
    const confidence = isCertain ? closeness(distinctive.indexOf(word.text)) : guess;
    return { line: word.line, confidence };
  }
  if (first !== undefined && isBetween && inside.some(({ text }) => isDistinctive(text))) {
    return { line: first.line, confidence: guess };
  }
  const beside = own[to] ?? own[from - 1];
  return beside && { line: beside.line, confidence: guess, isGone: true };
}

/** Is a word nowhere else in a unit? Another one may be that of any line. */
function isOnly(word: string, own: readonly Token[]): boolean {
  return own.filter(({ text }) => text === word).length === 1;
}
