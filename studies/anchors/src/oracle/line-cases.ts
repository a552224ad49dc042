import type { Case } from "./cases.ts";
import { overlap } from "./overlap.ts";

/** Shorter lines are often written twice. */
const shortest = 12;
/** Least share of equal words of a line that has changed in its place. */
const leastChanged = 0.4;
/** A line counts as deleted only if no new line shares this part of its words. */
const mostOfDeleted = 0.5;

/** A line of a source that is neither blank nor only brackets. */
interface Line {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
  readonly words: string;
}

/**
 * Maps lines of any language, including those inside statements, from one version to the next by their text,
 * where that is certain: unique lines beside an equal neighbour, and the line between two such neighbours.
 */
export function lineCases(before: string, after: string): readonly Case[] {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const [oldTimes, times] = [timesOf(old), timesOf(fresh)];
  const places = new Map(fresh.map(({ text }, index) => [text, index]));
  const placeOf = (index: number): number | undefined => {
    const text = old[index]?.text ?? "";
    const isUnique = oldTimes.get(text) === 1 && times.get(text) === 1 && text.length >= shortest;
    return isUnique ? places.get(text) : undefined;
  };
  return old.flatMap((line, index): readonly Case[] => {
    const [above, here, below] = [placeOf(index - 1), placeOf(index), placeOf(index + 1)];
    if (here !== undefined) {
      const isBeside = above === here - 1 || below === here + 1;
      return isBeside ? [caseOf("L_same", line, fresh[here])] : [];
    }
    if (above === undefined || below === undefined) return [];
    if (below === above + 2) return changed(line, fresh[above + 1]);
    const isGone = below === above + 1 && line.text.length >= shortest;
    return isGone && !fresh.some(({ words }) => overlap(words, line.words) >= mostOfDeleted)
      ? [caseOf("L_deleted", line, undefined)]
      : [];
  });
}

function changed(line: Line, now: Line | undefined): readonly Case[] {
  if (now === undefined) return [];
  if (now.text === line.text) return [caseOf("L_dup", line, now)];
  return overlap(now.words, line.words) >= leastChanged ? [caseOf("L_changed", line, now)] : [];
}

function caseOf(name: string, { line }: Line, now: Line | undefined): Case {
  const expected = now && { line: now.line, endLine: now.line };
  return { class: name, line, endLine: line, expected };
}

function linesOf(source: string): readonly Line[] {
  return source
    .split(/\r\n|\r|\n/)
    .map((text, index) => ({ line: index + 1, text: text.trim() }))
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
    .map((line) => ({ ...line, words: (line.text.match(/[\p{L}\p{N}_$]+|\S/gu) ?? []).join(" ") }));
}

function timesOf(lines: readonly Line[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const { text } of lines) times.set(text, (times.get(text) ?? 0) + 1);
  return times;
}
