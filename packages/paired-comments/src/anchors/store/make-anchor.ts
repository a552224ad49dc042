import { isDescription } from "../matching/known-unit.ts";
import { comparedTokens } from "../matching/similarity.ts";
import { scopeNames } from "../matching/unit-index.ts";
import { isDistinctive, type Token } from "../units/token.ts";
import { tokensInside, type Unit, type UnitTree } from "../units/unit.ts";
import { type Anchor, originOf, type Point, type Quote, type Surroundings } from "./anchor.ts";

/** Tokens stored before and after a line inside a unit. */
export const tokensAround = 16;
/** Tokens stored of a line. */
const longestLine = 32;
const longestQuote = 300;

const opens: ReadonlySet<string> = new Set(["{", "["]);

/** The lines of a comment, 1-based, end inclusive. */
export interface LineRange {
  readonly line: number;
  readonly endLine?: number | undefined;
}

/** Describes the place of a comment so that it can be found in later versions of the source. */
export function makeAnchor(tree: UnitTree, { line, endLine }: LineRange): Anchor {
  const start = startPoint(tree, line - 1);
  const unit = tree.units[start.unit];
  const isRange = endLine !== undefined && endLine > line;
  const end = isRange ? endPoint(tree, line - 1, endLine - 1) : undefined;
  return {
    start,
    ...(end === undefined ? {} : { end }),
    quote: quoteOf(tree.lines, line - 1),
    scope: unit === undefined ? [] : scopeNames(unit),
    type: unit?.type ?? "file",
    hash: unit?.hash ?? "",
    origin: originOf(tree.hash, isRange ? { line, endLine } : { line }),
  };
}

/** A line with its neighbours, trimmed; the line is 0-based. */
export function quoteOf(lines: readonly string[], line: number): Quote {
  const at = (index: number) => quotedText(lines[index] ?? "");
  return { exact: at(line), prefix: at(line - 1), suffix: at(line + 1) };
}

/** A line as stored in a quote, in one normal form of Unicode. */
export function quotedText(line: string): string {
  return line.trim().normalize().slice(0, longestQuote);
}

function startPoint(tree: UnitTree, line: number): Point {
  const token = firstOnLine(tree, line);
  if (token === undefined) return blankPoint(tree, line);
  return pointOf(tree, continued(tree, line) ?? token);
}

/** Text that ends the statement above, before another one on the same line: `} else if (…) {`, `} catch (e) {`. */
const endsAbove: readonly string[] = ["}", "else"];

/** The first token of a statement that begins on a line behind the end of another one, else of its `else`. */
function continued(tree: UnitTree, line: number): Token | undefined {
  const [first, ...rest] = onLine(tree, line);
  if (first === undefined || !endsAbove.includes(first.text)) return undefined;
  const begins = rest.filter((token) => token.unit !== first.unit && outermostAt(token));
  const next = rest.find(({ text }) => !endsAbove.includes(text));
  return begins.find((token) => token === next) ?? begins.find(({ text }) => text === "else");
}

/** A line without tokens is stored as an offset from the nearest token. */
function blankPoint(tree: UnitTree, line: number): Point {
  const next = tree.tokens[indexAtLine(tree.tokens, line + 1)];
  const previous = tree.tokens[indexAtLine(tree.tokens, line + 1) - 1];
  const isInside = previous !== undefined && previous.endLine >= line;
  const isNearNext =
    next !== undefined && !isInside && next.line - line <= line - (previous?.endLine ?? -1);
  if (isNearNext) return { ...pointOf(tree, next), lines: line - next.line };
  if (isInside) return { ...insidePoint(previous), lines: line - previous.line };
  if (previous === undefined) return { unit: 0, at: "start", tokens: [], lines: line };
  return { ...lastPoint(previous, 0), lines: line - previous.endLine };
}

/** The place of the first token of a line. */
function pointOf(tree: UnitTree, token: Token): Point {
  const unit = outermostAt(token);
  if (unit !== undefined) return { ...unitPoint(unit), at: "start" };
  // Formatters may move parentheses and commas to another line.
  const counting = token.counts ? token : firstOnLine(tree, token.line, ({ counts }) => counts);
  return counting === token ? linePoint(token) : pointOf(tree, counting ?? token);
}

/** The outermost unit that begins with a token. */
export function outermostAt(token: Token): Unit | undefined {
  return outermost(token.unit, (candidate) => candidate.first === token);
}

/** The place of the first token of a line inside a unit. */
function linePoint(token: Token): Point {
  const point = insidePoint(token);
  const hasDistinctive = (tokens: readonly Token[]) =>
    tokens.some(({ line, text }) => line === token.line && isDistinctive(text));
  if (!opens.has(token.text) || hasDistinctive(token.unit.tokens)) return point;
  const all = tokensInside(token.unit);
  return hasDistinctive(all)
    ? { ...point, around: { ...surroundings(token, all), isDeep: true } }
    : point;
}

function endPoint(tree: UnitTree, startLine: number, line: number): Point {
  const whole = unitOfLines(tree, startLine, line);
  if (whole !== undefined) return { ...unitPoint(whole), at: "end" };
  const token = lastOnLine(tree, line);
  return token === undefined ? blankPoint(tree, line) : lastPoint(token, startLine);
}

/** The outermost unit that these lines cover, or whose end they cover; the last line may have other code, too. */
function unitOfLines(tree: UnitTree, startLine: number, line: number): Unit | undefined {
  let unit: Unit | undefined = firstOnLine(tree, startLine)?.unit;
  // A function without its decorators.
  let found = unit !== undefined && isRestOf(unit, startLine, line) ? unit : undefined;
  for (; unit?.parent !== undefined && unit.first?.line === startLine; unit = unit.parent) {
    if (lastOfCode(unit)?.endLine === line) found = unit;
  }
  return found;
}

/** Does a unit begin above these lines and end with them? */
function isRestOf(unit: Unit, startLine: number, line: number): boolean {
  const isInside = unit.parent !== undefined && (unit.first?.line ?? 0) < startLine;
  return isInside && lastOfCode(unit)?.endLine === line;
}

/** The end of the largest unit that ends with a token and begins at or below a line. */
function lastPoint(token: Token, startLine: number): Point {
  const ends = (unit: Unit) =>
    (lastCounting(unit) === token || unit.last === token) &&
    // Its closing brackets and quotes may be on lines below.
    (lastOfCode(unit) ?? unit.last)?.endLine === token.endLine;
  const unit = outermost(
    token.unit,
    (candidate) => ends(candidate) && (candidate.first?.line ?? 0) >= startLine,
  );
  if (unit !== undefined && ends(unit)) return { ...unitPoint(unit), at: "end" };
  const lines = token.endLine - token.line;
  return { ...insidePoint(token), ...(lines === 0 ? {} : { lines }) };
}

/** The last token of a unit, without comments. */
export function lastOfCode(unit: Unit): Token | undefined {
  return lastToken(unit, () => true);
}

/** The last token of a unit that no formatter drops, without comments. */
function lastCounting(unit: Unit): Token | undefined {
  return lastToken(unit, ({ counts }) => counts);
}

function lastToken(unit: Unit, holds: (token: Token) => boolean): Token | undefined {
  const own = last(unit.tokens, holds);
  const child = last(unit.children, ({ type }) => type !== "comment");
  const inside = child === undefined ? undefined : lastToken(child, holds);
  if (own === undefined || inside === undefined) return own ?? inside;
  return own.start > inside.start ? own : inside;
}

/** The outermost ancestor below the file up to which the condition holds for every unit. */
function outermost(unit: Unit, holds: (unit: Unit) => boolean): Unit | undefined {
  if (!holds(unit) || unit.parent === undefined) return undefined;
  let found = unit;
  while (found.parent?.parent !== undefined && holds(found.parent)) found = found.parent;
  return found;
}

function unitPoint(unit: Unit): Omit<Point, "at"> {
  return {
    unit: unit.index,
    tokens: unit.tokens.slice(0, comparedTokens).map(({ text }) => text),
  };
}

function insidePoint(token: Token): Point {
  const around = surroundings(token, token.unit.tokens);
  return { ...unitPoint(token.unit), at: "inside", around };
}

function surroundings(token: Token, own: readonly Token[]): Surroundings {
  const place = own.indexOf(token);
  const from = Math.max(0, place - tokensAround);
  const line = own.slice(place, place + longestLine).filter((each) => each.line === token.line);
  const near = own.slice(from, place + line.length + tokensAround);
  const tokens = near.map(({ text }) => text);
  return { index: place - from, tokens, place, onLine: line.length };
}

/** The first token of code on a line, else of a comment or an attribute. */
export function firstOnLine(
  tree: UnitTree,
  line: number,
  holds: (token: Token) => boolean = () => true,
): Token | undefined {
  const found = onLine(tree, line);
  const code = found.filter(({ unit }) => !isInDescription(unit));
  return code.find(holds) ?? code[0] ?? found[0];
}

function isInDescription(unit: Unit): boolean {
  return isDescription(unit) || (unit.parent !== undefined && isInDescription(unit.parent));
}

/** The last token of code that ends on a line and that no formatter drops, else any. */
function lastOnLine(tree: UnitTree, line: number): Token | undefined {
  const found = onLine(tree, line).filter(({ endLine }) => endLine === line);
  const before = tree.tokens[indexAtLine(tree.tokens, line) - 1];
  // A multi-line string begins above.
  if (before !== undefined && before.endLine === line) found.unshift(before);
  const code = found.filter(({ unit }) => unit.type !== "comment");
  return last(code, ({ counts }) => counts) ?? code.at(-1) ?? found.at(-1);
}

function onLine({ tokens }: UnitTree, line: number): readonly Token[] {
  return tokens.slice(indexAtLine(tokens, line), indexAtLine(tokens, line + 1));
}

/** Index of the first token that begins at a line or below. */
function indexAtLine(tokens: readonly Token[], line: number): number {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tokens[middle]?.line ?? 0) < line) low = middle + 1;
    else high = middle;
  }
  return low;
}

function last<T>(items: readonly T[], holds: (item: T) => boolean): T | undefined {
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index];
    if (item !== undefined && holds(item)) return item;
  }
  return undefined;
}
