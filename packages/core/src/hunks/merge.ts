import { type LineRange, lineHunks, touches } from "./restore.ts";
import { diffSequences, type SequenceChange, splitLines } from "./sequences.ts";
import { splitWords } from "./words.ts";

/** Two descendants of one text, merged. */
export interface MergedText {
  readonly text: string;
  /** The lines of mine in which both changed the same words; `text` has theirs there. */
  readonly overlaps: readonly LineRange[];
}

/**
 * Merges two descendants of one text: line by line, and word by word where both changed a line. Where
 * both changed the same words, theirs is taken and reported, so that nothing of mine is lost silently.
 */
export function mergeTexts(base: string, mine: string, theirs: string): MergedText {
  return mergeSequences({ base, mine, theirs }, splitLines, mergeWords);
}

/** A proposal whose file has changed while it waits. */
export interface OutdatedProposal {
  /** The text of the file for which it was proposed. */
  readonly base: string;
  readonly current: string;
  readonly proposed: string;
}

/** The lines of the current text in hunks in which both it and the proposal differ from the base. */
export function findConflicts({ base, current, proposed }: OutdatedProposal): readonly LineRange[] {
  if (base === current) return [];
  const [mine, theirs] = [lineHunks(base, current), lineHunks(base, proposed)];
  return lineHunks(current, proposed).flatMap(({ fromA: from, toA: to, fromB, toB }) => {
    const isMine = mine.some((change) => touches({ from, to }, newLines(change)));
    const isTheirs = theirs.some((change) => touches({ from: fromB, to: toB }, newLines(change)));
    return isMine && isTheirs ? [{ from, to }] : [];
  });
}

function newLines({ fromB, toB }: SequenceChange): LineRange {
  return { from: fromB, to: toB };
}

interface ThreeTexts {
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}

type Split = (text: string) => string[];
type Resolve = (texts: ThreeTexts) => MergedText;

function mergeWords(texts: ThreeTexts): MergedText {
  return mergeSequences(texts, splitWords, takeTheirs);
}

function takeTheirs({ theirs }: ThreeTexts): MergedText {
  return { text: theirs, overlaps: [WHOLE] };
}

const WHOLE: LineRange = { from: 0, to: 0 };

function mergeSequences(texts: ThreeTexts, split: Split, resolve: Resolve): MergedText {
  const base = split(texts.base);
  const mine = split(texts.mine);
  const theirs = split(texts.theirs);
  const groups = groupChanges(diffSequences(base, mine), diffSequences(base, theirs));
  const parts: string[] = [];
  const overlaps: LineRange[] = [];
  let at = 0;
  for (const group of groups) {
    const merged = mergeGroup({ base, mine, theirs }, group, resolve);
    parts.push(base.slice(at, group.from).join(""), merged.text);
    if (merged.overlaps.length > 0) overlaps.push(placeInMine(group));
    at = group.to;
  }
  parts.push(base.slice(at).join(""));
  return { text: parts.join(""), overlaps };
}

/** Changes of both sides that overlap in the base. */
interface Group {
  from: number;
  to: number;
  readonly mine: SequenceChange[];
  readonly theirs: SequenceChange[];
}

function groupChanges(
  mine: readonly SequenceChange[],
  theirs: readonly SequenceChange[],
): readonly Group[] {
  const tagged = [
    ...mine.map((change) => ({ change, side: "mine" as const })),
    ...theirs.map((change) => ({ change, side: "theirs" as const })),
  ].sort((x, y) => x.change.fromA - y.change.fromA || x.change.toA - y.change.toA);
  const groups: Group[] = [];
  for (const { change, side } of tagged) {
    let group = groups.at(-1);
    if (group === undefined || !meets(group, change)) {
      group = { from: change.fromA, to: change.toA, mine: [], theirs: [] };
      groups.push(group);
    }
    group[side].push(change);
    group.to = Math.max(group.to, change.toA);
  }
  return groups;
}

/** Adjacent changes do not overlap; two insertions at one place do. */
function meets({ from, to }: Group, { fromA, toA }: SequenceChange): boolean {
  return fromA < to || (fromA === to && (from === to || fromA === toA));
}

/** The items of mine that correspond to a group. */
function placeInMine({ from, to, mine }: Group): LineRange {
  const [first, last] = [mine[0], mine.at(-1)];
  if (first === undefined || last === undefined) return WHOLE;
  return { from: first.fromB - first.fromA + from, to: last.toB - last.toA + to };
}

interface Split3 {
  readonly base: readonly string[];
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
}

function mergeGroup(items: Split3, group: Group, resolve: Resolve): MergedText {
  const mine = sideOf(items.base, items.mine, group, group.mine);
  const theirs = sideOf(items.base, items.theirs, group, group.theirs);
  if (group.mine.length === 0 || mine === theirs) return { text: theirs, overlaps: [] };
  if (group.theirs.length === 0) return { text: mine, overlaps: [] };
  return resolve({ base: items.base.slice(group.from, group.to).join(""), mine, theirs });
}

/** One side's version of the group's part of the base. */
function sideOf(
  base: readonly string[],
  side: readonly string[],
  { from, to }: Group,
  changes: readonly SequenceChange[],
): string {
  let text = "";
  let at = from;
  for (const change of changes) {
    text += base.slice(at, change.fromA).join("") + side.slice(change.fromB, change.toB).join("");
    at = change.toA;
  }
  return text + base.slice(at, to).join("");
}
