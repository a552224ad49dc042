import { changedPart } from "../text/changed-part.ts";
import { diffSequences, locate, type SequenceChange, splitLines } from "./sequences.ts";

/** In UTF-16 units: longer hunks are not compared word by word. */
const MAX_COMPARED = 50_000;

/** If less than this share of the text is kept, the whole hunk is marked as changed. */
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
 * The words that differ in the two texts of a hunk, as offsets; the whole texts when they differ too much. The cells
 * of tables differ as a whole, and a long text from its first difference to its last.
 */
export function diffWords(a: string, b: string): readonly SequenceChange[] {
  const whole = [{ fromA: 0, toA: a.length, fromB: 0, toB: b.length }];
  if (a === "" || b === "") return whole;
  if (a.length + b.length > MAX_COMPARED) {
    const middle = middleOf(a, b);
    const kept = a.length - middle.toA + middle.fromA;
    return kept >= MIN_KEPT * Math.max(a.length, b.length) ? [middle] : whole;
  }
  const areTables = isTable(a) && isTable(b);
  const split = areTables ? splitCells : splitWords;
  const [wordsA, wordsB] = [split(a), split(b)];
  const found = diffSequences(wordsA, wordsB);
  const changes = areTables ? found : joinAcrossSpace(found, wordsA);
  const placed = locate(changes, wordsA, wordsB);
  const removed = placed.reduce((sum, change) => sum + change.toA - change.fromA, 0);
  const kept = a.length - removed;
  return areTables || kept >= MIN_KEPT * Math.max(a.length, b.length) ? placed : whole;
}

/** The marks of the words that differ; none if all of them do, as the lines already show that. */
export function marksOf(
  words: readonly SequenceChange[],
  a: string,
  b: string,
): readonly SequenceChange[] {
  const [first] = words;
  if (first === undefined) return [];
  const { fromA, toA, fromB, toB } = first;
  return toA - fromA === a.length && toB - fromB === b.length ? [] : words;
}

/** From the first difference to the last. */
function middleOf(a: string, b: string): SequenceChange {
  const { from, to, newFrom, newTo } = changedPart(a, b);
  return { fromA: from, toA: to, fromB: newFrom, toB: newTo };
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
