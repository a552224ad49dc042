import { changedPart, type Part } from "./changed-part.ts";
import type { Range } from "./position.ts";
import { TextLines } from "./text-lines.ts";
import { cutText } from "./well-formed.ts";

/** Which end of a range a position is; text inserted there remains outside. */
type Side = "start" | "end";

/**
 * The position of a range after its text has changed, in one place or in many: its lines are followed if they are
 * found again, also with other blanks, and otherwise the words in them.
 */
export function mapRange(range: Range, before: string, after: string): Range {
  const lines = new TextLines(before);
  const from = lines.offsetAt(range.start);
  const to = lines.offsetAt(range.end);
  const start = mapOffset(before, after, { offset: from, side: "start" });
  const end = from === to ? start : mapOffset(before, after, { offset: to, side: "end" });
  return new TextLines(after).rangeOf(start, Math.max(start, end));
}

/** How a text is divided into the pieces that are found again. */
interface Pieces {
  readonly isLine: boolean;
  /** The longest text that is divided, so that the time is bounded. */
  readonly maxUnits: number;
  /** Its matches are the whole text. */
  readonly pattern: RegExp;
  /** Pieces of the same key are the same. */
  readonly keyOf: (piece: string) => string;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

const LINES = { isLine: true, pattern: /[^\n]*\n|[^\n]+$/g };

/** From coarse to fine: each is tried where the one before finds nothing. */
const GRAINS: readonly Pieces[] = [
  { ...LINES, maxUnits: Number.POSITIVE_INFINITY, keyOf: (line) => line },
  // A formatter, or a checkout with other line ends, changes only the blanks of most lines.
  { ...LINES, maxUnits: 1 << 20, keyOf: (line) => line.replace(/\s+/g, "") },
  {
    isLine: false,
    maxUnits: 128 << 10,
    pattern: /[\p{L}\p{M}\p{N}_]+|\s+|./gu,
    keyOf: (word) => word,
  },
];

interface Place {
  readonly offset: number;
  readonly side: Side;
}

function mapOffset(before: string, after: string, place: Place, grain = 0): number {
  const pieces = GRAINS[grain];
  const part = changedPart(before, after);
  const changed = pieces?.isLine === true ? toWholeLines(part, before, after) : part;
  const { from, to, newFrom, newTo } = changed;
  const outside = mapOutside(changed, place);
  if (outside !== undefined) return outside;
  // Replaced text is not found again: the same distance from its start, within the replacement.
  if (pieces === undefined) return cutText(after.slice(0, newTo), place.offset).length;
  const [old, now] = [before.slice(from, to), after.slice(newFrom, newTo)];
  const inner = { ...place, offset: place.offset - from };
  const isShort = Math.max(old.length, now.length) <= pieces.maxUnits;
  const pairs = isShort ? inBoth(old, now, pieces) : [];
  const found = partAround(pairs, inner, [old.length, now.length]);
  if (found === undefined) return newFrom + mapOffset(old, now, inner, grain + 1);
  const { part: around, isOwn } = found;
  const oldPart = old.slice(around.from, around.to);
  const newPart = now.slice(around.newFrom, around.newTo);
  const nested = { ...place, offset: inner.offset - around.from };
  const finer = isOwn ? grain + 1 : grain;
  return newFrom + around.newFrom + mapOffset(oldPart, newPart, nested, finer);
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

/** The piece of a position if it is found again; otherwise the gap between the nearest pieces that are. */
function partAround(
  found: readonly Part[],
  { offset, side }: Place,
  [length, newLength]: readonly [number, number],
): { readonly part: Part; readonly isOwn: boolean } | undefined {
  const isBefore = ({ to }: Part) => (side === "start" ? to <= offset : to < offset);
  const own = found.find((part) => !isBefore(part));
  const isOwn = own !== undefined && (side === "start" ? own.from <= offset : own.from < offset);
  if (isOwn) return { part: own, isOwn };
  const above = found.filter(isBefore).at(-1);
  const below = found.find(
    ({ from, newFrom }) =>
      from >= offset && newFrom >= (above?.newTo ?? 0) && from >= (above?.to ?? 0),
  );
  if (above === undefined && below === undefined) return undefined;
  const part = {
    from: above?.to ?? 0,
    newFrom: above?.newTo ?? 0,
    to: below?.from ?? length,
    newTo: below?.newFrom ?? newLength,
  };
  return { part, isOwn };
}

/** The pieces that occur once in each text, in the order of the old one. */
function inBoth(before: string, after: string, pieces: Pieces): readonly Part[] {
  const now = piecesOnce(after, pieces);
  return [...piecesOnce(before, pieces)].flatMap(([key, { from, to }]) => {
    const found = now.get(key);
    return found === undefined ? [] : [{ from, to, newFrom: found.from, newTo: found.to }];
  });
}

function piecesOnce(text: string, { pattern, keyOf }: Pieces): ReadonlyMap<string, Span> {
  const spans = new Map<string, Span>();
  const repeated = new Set<string>();
  let from = 0;
  for (const piece of text.match(pattern) ?? []) {
    const key = keyOf(piece);
    if (spans.has(key)) repeated.add(key);
    spans.set(key, { from, to: from + piece.length });
    from += piece.length;
  }
  for (const key of repeated) spans.delete(key);
  return spans;
}
