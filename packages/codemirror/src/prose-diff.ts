import { Change } from "@codemirror/merge";
import { diffSequences, type SequenceChange, splitLines } from "./sequence-diff.ts";

/** In UTF-16 units: longer runs of changed lines are not compared word by word. */
const MAX_REFINED = 50_000;

/** If less than this share of the text is kept, the whole run is marked as changed. */
const MIN_KEPT = 0.25;

const WORDS =
  /\[[^\S\r\n]\]|\[[xX]\]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}\p{M}_]+|\r\n|\s|[^\p{L}\p{N}\p{M}_\s]/gu;

/** Words, spaces, task boxes and punctuation; scripts without spaces by character. Joined they are the text. */
export function splitWords(text: string): string[] {
  return text.match(WORDS) ?? [];
}

/** The cells of a table with their padding, and what is between them. */
const CELLS = /\n|\||(?:\\[^\n]|[^|\n\\])+|\\/g;

/** Whether all lines are rows of a table. */
function isTable(text: string): boolean {
  return splitLines(text).every((line) => /^\s*\|/.test(line));
}

/** The cells of a table, their padding and what is between them. Joined they are the text. */
export function splitCells(text: string): string[] {
  return (text.match(CELLS) ?? []).flatMap((cell) => {
    const content = cell.trim();
    if (content === "") return [cell];
    const at = cell.indexOf(content);
    const parts = [cell.slice(0, at), content, cell.slice(at + content.length)];
    return parts.filter((part) => part !== "");
  });
}

/**
 * Compares two texts as prose: first whole lines, then whole words within the lines that changed.
 */
export function diffProse(a: string, b: string): readonly Change[] {
  const { start, end } = sameLines(a, b);
  const linesA = splitLines(a.slice(start, a.length - end));
  const linesB = splitLines(b.slice(start, b.length - end));
  return locate(diffSequences(linesA, linesB), linesA, linesB).flatMap(
    ({ fromA, toA, fromB, toB }) => {
      const lines = { fromA: fromA + start, toA: toA + start };
      return refine(a, b, { ...lines, fromB: fromB + start, toB: toB + start });
    },
  );
}

/** Length of the equal lines at the start and at the end, so that long notes need not be split. */
function sameLines(a: string, b: string): { readonly start: number; readonly end: number } {
  const shorter = Math.min(a.length, b.length);
  const start = longest(shorter, (length) => a.startsWith(b.slice(0, length)));
  const line = a === b || start === 0 ? start : a.lastIndexOf("\n", start - 1) + 1;
  const rest = shorter - line;
  const end = longest(rest, (length) => a.endsWith(b.slice(b.length - length)));
  const breakAt = a.indexOf("\n", a.length - end);
  const isWhole = end === 0 || (startsLine(a, end) && startsLine(b, end));
  return { start: line, end: isWhole ? end : breakAt === -1 ? 0 : a.length - breakAt - 1 };
}

function startsLine(text: string, end: number): boolean {
  return end === text.length || text[text.length - end - 1] === "\n";
}

/** The greatest length for which `holds` is true, by binary search. */
function longest(limit: number, holds: (length: number) => boolean): number {
  let low = 0;
  let high = limit;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Converts positions in two sequences to offsets in their joined texts. */
export function locate(
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

/** Converts ascending indexes to offsets. */
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
  const [textA, textB] = [a.slice(fromA, toA), b.slice(fromB, toB)];
  const areTables = isTable(textA) && isTable(textB);
  const [wordsA, wordsB] = [textA, textB].map(areTables ? splitCells : splitWords);
  if (wordsA === undefined || wordsB === undefined) return whole;
  const found = diffSequences(wordsA, wordsB);
  const changes = areTables ? found : joinAcrossSpace(found, wordsA);
  const placed = locate(changes, wordsA, wordsB);
  const removed = placed.reduce((sum, change) => sum + change.toA - change.fromA, 0);
  const added = placed.reduce((sum, change) => sum + change.toB - change.fromB, 0);
  const kept = toA - fromA - removed;
  if (!areTables && kept < MIN_KEPT * Math.max(kept + removed, kept + added)) return whole;
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

/** Joins changes of two words with only a space between them. */
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
