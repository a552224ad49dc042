import type { Pair } from "../matching/pairing.ts";
import type { Point, Surroundings } from "../store/anchor.ts";
import { lastOfCode } from "../store/make-anchor.ts";
import { type Token, tokenCounts } from "../units/token.ts";
import type { Unit } from "../units/unit.ts";
import { closeness, guess, type Place, placeOfLine } from "./place-of-line.ts";
import { inCommon } from "./tokens-in-common.ts";

/**
 * The line of a point, given its unit's partner.
 * @param isEnd is it the end of a multi-line comment?
 */
export function placeOfPoint(
  point: Point,
  { unit, similarity }: Pair,
  isEnd = false,
): Place | undefined {
  const found = lineOf(point, unit, isEnd);
  if (found === undefined) return undefined;
  return { ...found, confidence: similarity * found.confidence };
}

function lineOf(point: Point, unit: Unit, isEnd: boolean): Place | undefined {
  const { lines = 0, around } = point;
  if (point.at === "end") return at((lastOfCode(unit) ?? unit.last)?.endLine, lines);
  if (point.at === "start" || around === undefined) return at(startOf(point, unit)?.line, lines);
  // Is the point the commented line itself, not an offset from it or the end of a range?
  const isLine = !isEnd && lines === 0;
  const place = isLine ? placeOfLine(point, unit) : undefined;
  if (place !== undefined) return place;
  const found = findInside({ around, isEnd }, unit);
  if (found === undefined) return undefined;
  const { token, confidence } = found;
  if (isLine && confidence < 1) return { line: token.line, confidence: guess };
  // The unit may have fewer lines now.
  const last = Math.max(token.endLine, unit.last?.endLine ?? 0);
  return { line: Math.min(token.line + lines, last), confidence };
}

/** The first token of a unit, or the first after a decorator or attribute that was added since. */
function startOf({ tokens: known }: Point, { first, tokens }: Unit): Token | undefined {
  // The first token of a unit inside begins no decorator of this one.
  if (first === undefined || first !== tokens[0] || !decorates.has(first.text)) return first;
  return likeliestStart(known, tokens) ?? first;
}

/** The token that begins with most of the old decorators and what they decorate, whose first word may be new. */
function likeliestStart(known: readonly string[], tokens: readonly Token[]): Token | undefined {
  let [start, most]: [Token | undefined, number] = [undefined, 0];
  for (const [index, token] of tokens.entries()) {
    let length = 0;
    while (length < known.length && tokens[index + length]?.text === known[length]) length++;
    if (length > most) [start, most] = [token, length];
  }
  if (start !== undefined || known.length < 3) return start;
  const rest = likeliestStart(known.slice(1), tokens);
  return rest && tokens.find(({ line }) => line === rest.line);
}

const decorates: ReadonlySet<string> = new Set(["@", "[", "[[", "#[", "__attribute__"]);

function at(line: number | undefined, lines: number): Place | undefined {
  return line === undefined ? undefined : { line: line + lines, confidence: 1 };
}

interface Wanted {
  readonly around: Surroundings;
  /** Is the token the last of its line, rather than the first? */
  readonly isEnd: boolean;
}

interface FoundToken {
  readonly token: Token;
  readonly confidence: number;
}

/** Finds a token by its surroundings; if it is gone, the nearest remaining one on the comment's side. */
function findInside(wanted: Wanted, unit: Unit): FoundToken | undefined {
  const { index, tokens } = wanted.around;
  const side = wanted.isEnd ? -1 : 1;
  for (let distance = 0; distance < tokens.length; distance++) {
    const nearest = [index + side * distance, index - side * distance];
    for (const place of distance === 0 ? [index] : nearest) {
      const text = tokens[place];
      if (text === undefined || (distance > 0 && !tokenCounts(text))) continue;
      const token = findToken(wanted, place, unit.tokens);
      if (token !== undefined) return { token, confidence: closeness(distance) };
    }
  }
  return undefined;
}

/**
 * The token with the most old neighbours; then with the most directly adjacent ones, including those that
 * formatters drop; then the nearest to the old position.
 */
function findToken({ around }: Wanted, place: number, own: readonly Token[]): Token | undefined {
  const { tokens, index: center, place: was = 0 } = around;
  const before = tokens.slice(0, place).reverse();
  const after = tokens.slice(place + 1);
  const counting = [before.filter(tokenCounts), after.filter(tokenCounts)] as const;
  let best: Token | undefined;
  let most: readonly number[] = [];
  for (const [index, token] of own.entries()) {
    if (token.text !== tokens[place]) continue;
    const [above, below] = [
      inCommon(counting[0], own, index, -1),
      inCommon(counting[1], own, index, 1),
    ];
    const common = above + below;
    const beside = besideIt(before, own, index, -1) + besideIt(after, own, index, 1);
    const rank = [common, beside, -Math.abs(index - (was + place - center))];
    if (best !== undefined && !isHigher(rank, most)) continue;
    best = token;
    most = rank;
  }
  return best;
}

/** Compares by the first differing number. */
function isHigher(rank: readonly number[], than: readonly number[]): boolean {
  const index = rank.findIndex((each, place) => each !== than[place]);
  return index >= 0 && (rank[index] ?? 0) > (than[index] ?? 0);
}

/** How many old neighbours are still adjacent, without a gap. */
function besideIt(
  texts: readonly string[],
  own: readonly Token[],
  from: number,
  step: 1 | -1,
): number {
  let count = 0;
  while (count < texts.length && own[from + step * (count + 1)]?.text === texts[count]) count++;
  return count;
}
