import type { Pair } from "../matching/pairing.ts";
import type { Point, Surroundings } from "../store/anchor.ts";
import { lastOfCode } from "../store/make-anchor.ts";
import { type Token, tokenCounts } from "../units/token.ts";
import type { Unit } from "../units/unit.ts";

/** Where a point is now. */
export interface Place {
  /** 0-based. */
  readonly line: number;
  /** 0 to 1: how sure it is. */
  readonly confidence: number;
}

/** The line of a point, given its unit's partner. */
export function placeOfPoint(point: Point, { unit, similarity }: Pair): Place | undefined {
  const found = lineOf(point, unit);
  if (found === undefined) return undefined;
  return { line: found.line, confidence: similarity * found.confidence };
}

function lineOf(point: Point, unit: Unit): Place | undefined {
  const { lines = 0, around } = point;
  if (point.at === "end") return at((lastOfCode(unit) ?? unit.last)?.endLine, lines);
  if (point.at === "start" || around === undefined) return at(unit.first?.line, lines);
  const found = findInside(around, unit);
  if (found === undefined) return undefined;
  const { token, confidence } = found;
  // A string may have fewer lines than it had.
  const line = Math.min(token.line + lines, token.endLine);
  return { line, confidence };
}

function at(line: number | undefined, lines: number): Place | undefined {
  return line === undefined ? undefined : { line: line + lines, confidence: 1 };
}

interface FoundToken {
  readonly token: Token;
  readonly confidence: number;
}

/** Looks for a token by those around it; where it is gone, for the nearest one that is not. */
function findInside({ index, tokens }: Surroundings, unit: Unit): FoundToken | undefined {
  for (let distance = 0; distance < tokens.length; distance++) {
    for (const place of distance === 0 ? [index] : [index + distance, index - distance]) {
      const text = tokens[place];
      if (text === undefined || (distance > 0 && !tokenCounts(text))) continue;
      const token = findToken(tokens, place, unit.tokens);
      if (token !== undefined) return { token, confidence: 1 / (1 + distance / 4) };
    }
  }
  return undefined;
}

/** The token that has the most of its old neighbours. */
function findToken(
  tokens: readonly string[],
  place: number,
  own: readonly Token[],
): Token | undefined {
  const before = tokens.slice(0, place).filter(tokenCounts).reverse();
  const after = tokens.slice(place + 1).filter(tokenCounts);
  let best: Token | undefined;
  let most = -1;
  for (const [index, token] of own.entries()) {
    if (token.text !== tokens[place]) continue;
    const score = inCommon(before, own, index, -1) + inCommon(after, own, index, 1);
    if (score > most) {
      best = token;
      most = score;
    }
  }
  return best;
}

/** How many old neighbours there are, in order, near ones counting more. */
function inCommon(
  texts: readonly string[],
  own: readonly Token[],
  from: number,
  step: 1 | -1,
): number {
  let score = 0;
  let next = from + step;
  for (const [distance, text] of texts.entries()) {
    let reach = next;
    for (let skipped = 0; skipped < 4 && own[reach]?.text !== text; skipped++) reach += step;
    if (own[reach]?.text !== text) continue;
    score += 1 / (1 + distance);
    next = reach + step;
  }
  return score;
}
