import { changedPart, type Part } from "./changed-part.ts";
import type { Range } from "./position.ts";
import { TextLines } from "./text-lines.ts";
import { cutText } from "./well-formed.ts";

/** Which end of a range a position is; text inserted there remains outside. */
type Side = "start" | "end";

/**
 * The position of a range after its text has changed, in one place or in many: its lines are followed if they are
 * found again.
 */
export function mapRange(range: Range, before: string, after: string): Range {
  const lines = new TextLines(before);
  const from = lines.offsetAt(range.start);
  const to = lines.offsetAt(range.end);
  const start = mapOffset(before, after, { offset: from, side: "start" });
  const end = from === to ? start : mapOffset(before, after, { offset: to, side: "end" });
  return new TextLines(after).rangeOf(start, Math.max(start, end));
}

interface Place {
  readonly offset: number;
  readonly side: Side;
}

function mapOffset(before: string, after: string, place: Place): number {
  const changed = toWholeLines(changedPart(before, after), before, after);
  const { from, to, newFrom, newTo } = changed;
  const outside = mapOutside(changed, place);
  if (outside !== undefined) return outside;
  const [old, now] = [before.slice(from, to), after.slice(newFrom, newTo)];
  const inner = { ...place, offset: place.offset - from };
  const part = partAround(old, now, inner);
  if (part === undefined) return newFrom + mapInLine(old, now, inner);
  const [oldPart, newPart] = [old.slice(part.from, part.to), now.slice(part.newFrom, part.newTo)];
  const offset = inner.offset - part.from;
  return newFrom + part.newFrom + mapOffset(oldPart, newPart, { ...place, offset });
}

function mapInLine(before: string, after: string, place: Place): number {
  const changed = changedPart(before, after);
  // Replaced text is not found again: the same distance from its start, within the replacement.
  return mapOutside(changed, place) ?? cutText(after.slice(0, changed.newTo), place.offset).length;
}

function mapOutside({ from, to, newTo }: Part, { offset, side }: Place): number | undefined {
  const isEnd = side === "end";
  if (offset < from || (offset === from && isEnd)) return offset;
  return offset > to || (offset === to && !isEnd) ? offset + newTo - to : undefined;
}

/** Extended to line breaks: two lines that start alike are not the same line. Without a change there is no line. */
function toWholeLines(part: Part, before: string, after: string): Part {
  const { from, to, newTo } = part;
  if (before === after) return part;
  const start = from === 0 ? 0 : before.lastIndexOf("\n", from - 1) + 1;
  const isBreak = (text: string, at: number) => at === 0 || text[at - 1] === "\n";
  if (isBreak(before, to) && isBreak(after, newTo)) {
    return { from: start, to, newFrom: start, newTo };
  }
  const next = before.indexOf("\n", to);
  const more = next < 0 ? before.length - to : next + 1 - to;
  return { from: start, to: to + more, newFrom: start, newTo: newTo + more };
}

/** The line of a position if it is found again; otherwise the gap between the nearest lines that are. */
function partAround(before: string, after: string, { offset, side }: Place): Part | undefined {
  const found = linesInBoth(before, after);
  const isBefore = ({ to }: Part) => (side === "start" ? to <= offset : to < offset);
  const own = found.find((part) => !isBefore(part));
  const isOwn = own !== undefined && (side === "start" ? own.from <= offset : own.from < offset);
  if (isOwn) return own;
  const above = found.filter(isBefore).at(-1);
  const below = found.find(
    ({ from, newFrom }) =>
      from >= offset && newFrom >= (above?.newTo ?? 0) && from >= (above?.to ?? 0),
  );
  if (above === undefined && below === undefined) return undefined;
  return {
    from: above?.to ?? 0,
    newFrom: above?.newTo ?? 0,
    to: below?.from ?? before.length,
    newTo: below?.newFrom ?? after.length,
  };
}

/** The lines that occur once in each text, in the order of the old one. */
function linesInBoth(before: string, after: string): readonly Part[] {
  const now = linesOnce(after);
  return [...linesOnce(before)].flatMap(([line, from]) => {
    const newFrom = now.get(line);
    const { length } = line;
    return newFrom === undefined
      ? []
      : [{ from, to: from + length, newFrom, newTo: newFrom + length }];
  });
}

function linesOnce(text: string): ReadonlyMap<string, number> {
  const starts = new Map<string, number>();
  const repeated = new Set<string>();
  let start = 0;
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    if (starts.has(line)) repeated.add(line);
    starts.set(line, start);
    start += line.length;
  }
  for (const line of repeated) starts.delete(line);
  return starts;
}
