import { quotedText, quoteOf } from "../store/make-anchor.ts";
import { mostCandidates } from "./candidates.ts";
import { evenOdds } from "./place-of-line.ts";
import type { AnchoredLines, Resolution } from "./resolve.ts";

/** Equal lines collected from a whole text. */
const mostAlike = 1_000;
/** Lines searched above and below if more lines than that are equal. */
const furthest = 10_000;

/**
 * The places of comments in a text without units: the nearest equal line between equal neighbours, else the
 * only equal line. In the order given.
 */
export function resolveByQuote(
  comments: readonly AnchoredLines[],
  lines: readonly string[],
): readonly Resolution[] {
  const alike = linesLike(comments, lines);
  return comments.map((comment) => {
    const found = alike.get(comment.anchor.quote.exact) ?? [];
    return placeOf(comment, found.length < mostAlike ? found : nearBy(comment, lines), lines);
  });
}

/** The lines, 0-based, equal to those of the comments, found in one pass over the text. */
function linesLike(
  comments: readonly AnchoredLines[],
  lines: readonly string[],
): ReadonlyMap<string, readonly number[]> {
  const alike = new Map(comments.map(({ anchor }) => [anchor.quote.exact, [] as number[]]));
  let index = 0;
  for (const line of lines) {
    const found = alike.get(quotedText(line));
    if (found !== undefined && found.length < mostAlike) found.push(index);
    index++;
  }
  return alike;
}

function nearBy({ anchor, line }: AnchoredLines, lines: readonly string[]): readonly number[] {
  const from = Math.max(0, line - 1 - furthest);
  const to = Math.min(lines.length, line + furthest);
  const found: number[] = [];
  for (let at = from; at < to; at++) {
    if (quotedText(lines[at] ?? "") === anchor.quote.exact) found.push(at);
  }
  return found;
}

function placeOf(
  comment: AnchoredLines,
  found: readonly number[],
  lines: readonly string[],
): Resolution {
  const { anchor, line: was, endLine: wasEnd } = comment;
  const { prefix, suffix } = anchor.quote;
  const nearest = [...found].sort((a, b) => Math.abs(a + 1 - was) - Math.abs(b + 1 - was));
  const whole = nearest.filter((at) => {
    const now = quoteOf(lines, at);
    return now.prefix === prefix && now.suffix === suffix;
  });
  const places = whole.length > 0 || found.length !== 1 ? whole : found;
  const candidates = (ats: readonly number[], score: number) =>
    ats
      .slice(0, mostCandidates)
      .map((at) => ({ line: at + 1, score, text: (lines[at] ?? "").trim() }));
  const [place, ...others] = places;
  const line = place === undefined ? was : place + 1;
  const end = wasEnd === undefined ? undefined : Math.min(line + wasEnd - was, lines.length);
  const range = end === undefined ? { line } : { line, endLine: Math.max(line, end) };
  if (place === undefined) {
    const how = found.length === 0 ? "its line is gone" : "equal lines have other neighbours";
    const guesses = candidates(nearest, evenOdds);
    return { ...range, status: "orphaned", confidence: 0, how, candidates: guesses };
  }
  if (others.length > 0) {
    const how = "several equal lines between equal lines: the nearest";
    const guesses = candidates(others, evenOdds);
    return { ...range, status: "ambiguous", confidence: evenOdds, how, candidates: guesses };
  }
  const status = line === was ? "exact" : "moved";
  const isSure = whole.length > 0;
  const how = isSure ? "same line between the same lines" : "the only equal line";
  return { ...range, status, confidence: isSure ? 1 : 0.9, how, candidates: [] };
}
