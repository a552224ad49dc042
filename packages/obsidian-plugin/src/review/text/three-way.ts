import {
  diffSequences,
  type SequenceChange,
  splitLines,
  splitWords,
} from "@idewire/core/internal/hunks";

/** Two descendants of one text, merged. */
export interface MergedText {
  readonly text: string;
  /** The number of places where both changed the same words; `text` has theirs there. */
  readonly overlaps: number;
}

/**
 * Merges two descendants of one text: line by line, and word by word where both changed a line. Where
 * both changed the same words, theirs is taken and counted, so that nothing of mine is lost silently.
 */
export function mergeTexts(base: string, mine: string, theirs: string): MergedText {
  return mergeSequences({ base, mine, theirs }, splitLines, mergeWords);
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
  return { text: theirs, overlaps: 1 };
}

function mergeSequences(texts: ThreeTexts, split: Split, resolve: Resolve): MergedText {
  const base = split(texts.base);
  const mine = split(texts.mine);
  const theirs = split(texts.theirs);
  const groups = groupChanges(diffSequences(base, mine), diffSequences(base, theirs));
  const parts: string[] = [];
  let overlaps = 0;
  let at = 0;
  for (const group of groups) {
    const merged = mergeGroup({ base, mine, theirs }, group, resolve);
    parts.push(base.slice(at, group.from).join(""), merged.text);
    overlaps += merged.overlaps;
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

interface Split3 {
  readonly base: readonly string[];
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
}

function mergeGroup(items: Split3, group: Group, resolve: Resolve): MergedText {
  const mine = sideOf(items.base, items.mine, group, group.mine);
  const theirs = sideOf(items.base, items.theirs, group, group.theirs);
  if (group.mine.length === 0 || mine === theirs) return { text: theirs, overlaps: 0 };
  if (group.theirs.length === 0) return { text: mine, overlaps: 0 };
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
