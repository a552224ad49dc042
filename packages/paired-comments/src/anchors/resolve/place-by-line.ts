import { declaresName, isImport, type KnownUnit } from "../matching/known-unit.ts";
import type { Point, Quote } from "../store/anchor.ts";
import { firstOnLine, outermostAt, quotedText, quoteOf } from "../store/make-anchor.ts";
import { isDistinctive } from "../units/token.ts";
import type { Unit } from "../units/unit.ts";
import type { Comparison } from "./candidates.ts";
import { guess, type Place } from "./place-of-line.ts";
import type { AnchoredLines } from "./resolve.ts";

/** Shorter lines are often written twice. */
const shortest = 12;
/** The confidence of an equal line beside an equal one. */
const likeness = 0.9;

/**
 * Finds lines whose unit is gone by their text and the lines beside them, in code that is new: units without a
 * partner, and the partners of their own unit and of those around it.
 */
export class LinesAnywhere {
  readonly #comparison: Comparison;
  #byText: ReadonlyMap<string, readonly number[]> | undefined;

  constructor(comparison: Comparison) {
    this.#comparison = comparison;
  }

  /** The only equal line: beside an equal one it is the same, alone it is a guess. */
  equalTo({ anchor: { quote, start } }: AnchoredLines): Place | undefined {
    const own = this.#unitOf(quote, start);
    if (own === undefined) return undefined;
    const equal = this.#linesLike(quote.exact).filter((line) => this.#unitAt(line, own));
    const same = equal.filter((line) => this.#isBeside(line, quote));
    return same.length > 0 ? only(same, likeness) : only(equal, guess);
  }

  /** A guess for a lost line: the only one that differs in blanks alone, else the only one between equal lines. */
  likeliest({ anchor: { quote, start } }: AnchoredLines): Place | undefined {
    const own = this.#unitOf(quote, start);
    if (own === undefined) return undefined;
    const alike = this.#linesAlike(quote.exact).filter((line) => this.#unitAt(line, own));
    if (alike.length > 0) return only(alike, guess);
    const above = new Set(this.#linesLike(quote.suffix).map((line) => line - 1));
    const between = this.#linesLike(quote.prefix)
      .map((line) => line + 1)
      .filter((line) => above.has(line) && this.#isBeside(line, quote) && this.#isLike(line, own));
    return only(between, guess);
  }

  /** The unit of a line that has enough text to be found by. */
  #unitOf({ exact }: Quote, { unit }: Point): KnownUnit | undefined {
    const isEnough = exact.length >= shortest && isDistinctive(exact);
    return isEnough ? this.#comparison.known[unit] : undefined;
  }

  /** Is an old neighbour beside it? */
  #isBeside(line: number, { prefix, suffix }: Quote): boolean {
    const now = quoteOf(this.#comparison.tree.lines, line);
    return isSame(now.prefix, prefix) || isSame(now.suffix, suffix);
  }

  /** May it be the line of a unit, rewritten? Not if it imports or declares something else. */
  #isLike(line: number, own: KnownUnit): boolean {
    const unit = this.#unitAt(line, own);
    if (unit === undefined || isImport(own)) return false;
    const isOther = declaresName(own) && declaresName(unit) && own.name !== unit.name;
    return !isOther && isDistinctive(this.#comparison.tree.lines[line] ?? "");
  }

  #linesLike(text: string): readonly number[] {
    const { lines } = this.#comparison.tree;
    return this.#linesAlike(text).filter((line) => quotedText(lines[line] ?? "") === text);
  }

  /** Those that differ in blanks at most. */
  #linesAlike(text: string): readonly number[] {
    this.#byText ??= linesByText(this.#comparison.tree.lines);
    return this.#byText.get(withoutBlanks(text)) ?? [];
  }

  /** The unit of a line that is new for another one: without a partner, or that of the other one or of a unit around. */
  #unitAt(line: number, own: KnownUnit): Unit | undefined {
    const { tree, trees } = this.#comparison;
    const token = firstOnLine(tree, line);
    const unit = token && (outermostAt(token) ?? token.unit);
    if (unit === undefined || (unit.type === "comment") !== (own.type === "comment")) {
      return undefined;
    }
    const partner = trees.pairing.knownOf(unit);
    let around: KnownUnit | undefined = own;
    while (around !== undefined && around !== partner) around = around.parent;
    return around === partner ? unit : undefined;
  }
}

function only([line, ...others]: readonly number[], confidence: number): Place | undefined {
  return line === undefined || others.length > 0 ? undefined : { line, confidence };
}

function isSame(line: string, old: string): boolean {
  return line === old && isDistinctive(line);
}

function withoutBlanks(text: string): string {
  return text.replace(/\s/g, "");
}

function linesByText(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const [index, line] of lines.entries()) {
    const text = withoutBlanks(quotedText(line));
    const same = found.get(text);
    if (same === undefined) found.set(text, [index]);
    else same.push(index);
  }
  return found;
}
