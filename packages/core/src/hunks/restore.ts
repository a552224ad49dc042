import { diffSequences, type SequenceChange } from "./sequences.ts";

/** A text that was written without a review: before it, as written, and as it is now. */
export interface WrittenText {
  readonly before: string;
  readonly written: string;
  readonly current: string;
}

/** The part of an edit that is not decided yet: its hunks are the differences of the two. */
export type UndecidedText = Pick<WrittenText, "before" | "written">;

/** What was undone: `refused` is the number of hunks whose lines have changed since they were written. */
export interface RestoredText {
  /** The text to write in place of the current one. */
  readonly current: string;
  /** The edit without the hunks that were undone. */
  readonly written: string;
  readonly refused: number;
}

/**
 * The hunks between two texts as ranges of lines, in the order in which every frontend shows them: lines that
 * differ only in how they end are equal, and so are texts with and without a byte order mark.
 */
export function lineHunks(before: string, written: string): readonly SequenceChange[] {
  return diffLines(layOutLines(before), layOutLines(written));
}

/**
 * Undoes one hunk of an edit in the current text, whatever else has changed there: its lines are replaced by
 * those before the edit. Refused if its own lines have changed since they were written.
 * @param index of the hunk among those of {@link lineHunks}
 */
export function restoreHunk(text: WrittenText, index: number): RestoredText {
  const hunks = lineHunks(text.before, text.written);
  return restoreThose(text, hunks[index] === undefined ? [] : [hunks[index]]);
}

/** Undoes all hunks that can be; a text that has not changed since is restored to the byte. */
export function restoreAll(text: WrittenText): RestoredText {
  const { before, written, current } = text;
  if (current === written) return { current: before, written: before, refused: 0 };
  return restoreThose(text, lineHunks(before, written));
}

/** Accepts one hunk: the text before the edit, with that hunk. */
export function keepHunk({ before, written }: UndecidedText, index: number): string {
  const hunk = lineHunks(before, written)[index];
  if (hunk === undefined) return before;
  const { bom, lines } = layOutLines(before);
  const kept = layOutLines(written).lines.slice(hunk.fromB, hunk.toB);
  return bom + replaceLines(lines, { from: hunk.fromA, to: hunk.toA }, kept).join("");
}

interface Lines {
  readonly bom: string;
  /** With their breaks. */
  readonly lines: readonly string[];
}

/** Lines from one index up to another, which is not included; empty for a place between lines. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** From the last to the first, so that the places of those before remain. */
function restoreThose(text: WrittenText, hunks: readonly SequenceChange[]): RestoredText {
  const before = layOutLines(text.before);
  let written = layOutLines(text.written);
  let current = layOutLines(text.current);
  const changes = diffLines(written, current);
  let refused = 0;
  for (const hunk of [...hunks].reverse()) {
    const own = { from: hunk.fromB, to: hunk.toB };
    const lines = before.lines.slice(hunk.fromA, hunk.toA);
    const place = findPlace(own, lines, { changes, current });
    if (place === undefined) refused += 1;
    else {
      current = { ...current, lines: replaceLines(current.lines, place, lines) };
      written = { ...written, lines: replaceLines(written.lines, own, lines) };
    }
  }
  return { current: join(current), written: join(written), refused };
}

/** Where the lines of a hunk are now; undefined if they have changed. */
function findPlace(
  own: LineRange,
  restored: readonly string[],
  { changes, current }: { readonly changes: readonly SequenceChange[]; readonly current: Lines },
): LineRange | undefined {
  const shiftAt = (line: number, isIncluded: (change: SequenceChange) => boolean) =>
    changes
      .filter((change) => change.toA <= line && isIncluded(change))
      .reduce((sum, { fromA, toA, fromB, toB }) => sum + toB - fromB - (toA - fromA), 0);
  const changed = changes.filter((change) => overlaps(change, own));
  const isInsertionHere = ({ fromA, toA }: SequenceChange) => fromA === toA && fromA === own.from;
  const isDeletion = own.from === own.to;
  if (isDeletion) changed.push(...changes.filter(isInsertionHere));
  const [first] = changed;
  if (first !== undefined) {
    // The person has undone it already, if its former lines are there.
    const last = changed.at(-1) ?? first;
    const place = { from: first.fromB, to: last.toB };
    const covered = first.fromA <= own.from && own.to <= last.toA;
    const isExact = first.fromA === own.from && last.toA === own.to;
    const now = current.lines.slice(place.from, place.to);
    if (covered && isExact && isSame(now, restored)) return place;
    if (!isDeletion || !changed.every(isInsertionHere)) return undefined;
  }
  // Lines that were inserted just where lines had been deleted follow the restored ones.
  const from = own.from + shiftAt(own.from, (change) => !isDeletion || !isInsertionHere(change));
  return { from, to: from + own.to - own.from };
}

function overlaps({ fromA, toA }: SequenceChange, { from, to }: LineRange): boolean {
  if (from === to) return fromA < from && from < toA;
  return fromA === toA ? from < fromA && fromA < to : fromA < to && toA > from;
}

/** Whether two ranges have a line in common, or one is a place in or at the other. */
export function touches(one: LineRange, other: LineRange): boolean {
  const isPlace = one.from === one.to || other.from === other.to;
  return isPlace
    ? one.from <= other.to && other.from <= one.to
    : one.from < other.to && other.from < one.to;
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return plain(some).join("") === plain(others).join("");
}

/** A last line without a break gets one when lines follow it. */
function replaceLines(
  lines: readonly string[],
  { from, to }: LineRange,
  replacement: readonly string[],
): readonly string[] {
  const all = [...lines.slice(0, from), ...replacement, ...lines.slice(to)];
  const ending = lines.some((line) => line.endsWith("\r\n")) ? "\r\n" : "\n";
  const last = all.length - 1;
  return all.map((line, at) => (at < last && !/[\r\n]$/.test(line) ? line + ending : line));
}

function diffLines(a: Lines, b: Lines): readonly SequenceChange[] {
  return diffSequences(plain(a.lines), plain(b.lines));
}

function plain(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.replace(/\r\n?$/, "\n"));
}

function layOutLines(text: string): Lines {
  const bom = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const body = text.slice(bom.length);
  return { bom, lines: body.match(/[^\r\n]*(?:\r\n?|\n)|[^\r\n]+$/g) ?? [] };
}

function join({ bom, lines }: Lines): string {
  return bom + lines.join("");
}
