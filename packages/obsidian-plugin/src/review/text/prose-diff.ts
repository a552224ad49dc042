import { Change } from "@codemirror/merge";
import { diffSequences, type SequenceChange } from "./sequence-diff.ts";

/** Longer runs of changed lines are shown as a whole: nobody compares them word by word. */
const MAX_REFINED = 50_000;

/** Below this share of kept text, marks in the middle of it would be confetti. */
const MIN_KEPT = 0.25;

const WORDS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}\p{M}_]+|\r\n|\s|[^\p{L}\p{N}\p{M}_\s]/gu;

/** The lines of a text with their breaks; joined they are the text. */
export function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Words, spaces and signs; scripts without spaces by character. Joined they are the text. */
export function splitWords(text: string): string[] {
  return text.match(WORDS) ?? [];
}

/**
 * What differs between two texts for a person who reads prose: whole lines first, and whole words
 * within the lines that changed.
 */
export function diffProse(a: string, b: string): readonly Change[] {
  const linesA = splitLines(a);
  const linesB = splitLines(b);
  const changes: Change[] = [];
  for (const change of locate(diffSequences(linesA, linesB), linesA, linesB)) {
    changes.push(...refine(a, b, change));
  }
  return changes;
}

/** From positions in two sequences to those in the texts that they make up. */
function locate(
  changes: readonly SequenceChange[],
  a: readonly string[],
  b: readonly string[],
): SequenceChange[] {
  const inA = walker(a);
  const inB = walker(b);
  return changes.map(({ fromA, toA, fromB, toB }) => ({
    fromA: inA(fromA),
    toA: inA(toA),
    fromB: inB(fromB),
    toB: inB(toB),
  }));
}

/** Turns rising indexes into offsets. */
function walker(items: readonly string[]): (index: number) => number {
  let at = 0;
  let offset = 0;
  return (index) => {
    for (; at < index; at += 1) offset += items[at]?.length ?? 0;
    return offset;
  };
}

function refine(a: string, b: string, lines: SequenceChange): readonly Change[] {
  const { fromA, toA, fromB, toB } = lines;
  const whole = [new Change(fromA, toA, fromB, toB)];
  if (fromA === toA || fromB === toB || toA - fromA + toB - fromB > MAX_REFINED) return whole;
  const wordsA = splitWords(a.slice(fromA, toA));
  const wordsB = splitWords(b.slice(fromB, toB));
  const changes = joinAcrossSpace(diffSequences(wordsA, wordsB), wordsA);
  const placed = locate(changes, wordsA, wordsB);
  const removed = placed.reduce((sum, change) => sum + change.toA - change.fromA, 0);
  const added = placed.reduce((sum, change) => sum + change.toB - change.fromB, 0);
  const kept = toA - fromA - removed;
  if (kept < MIN_KEPT * Math.max(kept + removed, kept + added)) return whole;
  return placed.map(
    (change) =>
      new Change(
        change.fromA + fromA,
        change.toA + fromA,
        change.fromB + fromB,
        change.toB + fromB,
      ),
  );
}

/** Two changed words with a space between them read as one change. */
function joinAcrossSpace(
  changes: readonly SequenceChange[],
  words: readonly string[],
): SequenceChange[] {
  const joined: SequenceChange[] = [];
  for (const change of changes) {
    const last = joined.at(-1);
    const between = last === undefined ? undefined : words.slice(last.toA, change.fromA).join("");
    if (last !== undefined && between !== undefined && /^[^\S\n]$/.test(between)) {
      joined[joined.length - 1] = { ...last, toA: change.toA, toB: change.toB };
    } else joined.push(change);
  }
  return joined;
}
