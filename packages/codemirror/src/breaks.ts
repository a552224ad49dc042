import { type ChangeSet, type Range, RangeSet, RangeValue, type Text } from "@codemirror/state";
import type { LaidOutText, LineEnding } from "@idewire/core/internal";

/** A line break that differs from most: a range over the break itself. */
class OddBreak extends RangeValue {
  readonly ending: LineEnding;

  constructor(ending: LineEnding) {
    super();
    this.ending = ending;
    // Text typed before or after a break is not part of it.
    this.startSide = 1;
    this.endSide = -1;
  }

  override eq(other: OddBreak): boolean {
    return other.ending === this.ending;
  }
}

/** A line break at an offset of the document, and how it is written. */
export interface PlacedBreak {
  readonly at: number;
  readonly ending: LineEnding;
}

/** The line endings of an edited document, which CodeMirror itself does not store. */
export interface Breaks {
  /** The ending of most lines, and of new ones without a neighbour. */
  readonly ending: LineEnding;
  readonly odd: RangeSet<OddBreak>;
}

/** A document and its line endings. */
export interface DraftSide {
  readonly doc: Text;
  readonly breaks: Breaks;
}

export function toBreaks(text: LaidOutText, doc: Text): Breaks {
  const placed = [...text.odd].map(([index, ending]) => ({ at: doc.line(index + 1).to, ending }));
  return { ending: text.ending ?? "\n", odd: RangeSet.of(placed.map(toRange), true) };
}

/**
 * The breaks after a change. Untouched breaks stay as they are; a new one is written like the one it
 * replaces, otherwise like its neighbour.
 */
export function mapBreaks({ doc, breaks }: DraftSide, changes: ChangeSet): Breaks {
  if (breaks.odd.size === 0) return breaks;
  let { odd } = breaks;
  const written: PlacedBreak[] = [];
  changes.iterChanges((filterFrom, filterTo, at, _, inserted) => {
    const filter = (from: number, to: number) => to <= filterFrom || from >= filterTo;
    odd = odd.update({ filter, filterFrom, filterTo });
    if (inserted.lines === 1) return;
    const lost = breaksBetween({ doc, breaks }, filterFrom, filterTo);
    const adjacent = lost.at(-1)?.ending ?? endingNear({ doc, breaks }, filterFrom);
    for (let number = 1; number < inserted.lines; number += 1) {
      const ending = lost[number - 1]?.ending ?? adjacent;
      written.push({ at: at + inserted.line(number).to, ending });
    }
  }, true);
  return addBreaks({ ...breaks, odd: odd.map(changes) }, written);
}

/** Sets how existing breaks are written. */
export function addBreaks(breaks: Breaks, placed: readonly PlacedBreak[]): Breaks {
  if (placed.length === 0) return breaks;
  const known = new Set(placed.map(({ at }) => at));
  const add = placed.filter(({ ending }) => ending !== breaks.ending).map(toRange);
  const filter = (from: number) => !known.has(from);
  return { ...breaks, odd: breaks.odd.update({ add, sort: true, filter }) };
}

/** The breaks from one offset up to another, in order. */
export function breaksBetween({ doc, breaks }: DraftSide, from: number, to: number): PlacedBreak[] {
  const endings = new Map<number, LineEnding>();
  breaks.odd.between(from, to, (at, _, { ending }) => void endings.set(at, ending));
  const found: PlacedBreak[] = [];
  for (let line = doc.lineAt(from); line.to < to; line = doc.line(line.number + 1)) {
    found.push({ at: line.to, ending: endings.get(line.to) ?? breaks.ending });
  }
  return found;
}

/** Whether all lines of both end alike, so that no break has to be tracked. */
export function areAlike(a: Breaks, b: Breaks): boolean {
  return a.odd.size === 0 && b.odd.size === 0 && a.ending === b.ending;
}

/** How a new line at an offset ends: like the one before it, otherwise like the one after it. */
function endingNear({ doc, breaks }: DraftSide, at: number): LineEnding {
  const line = doc.lineAt(at);
  const own = endingOf({ doc, breaks }, line.number);
  const before = endingOf({ doc, breaks }, line.number - 1);
  const isInFront = at === line.from && line.length > 0;
  return (isInFront ? (before ?? own) : (own ?? before)) ?? breaks.ending;
}

function endingOf({ doc, breaks }: DraftSide, number: number): LineEnding | undefined {
  if (number < 1 || number >= doc.lines) return undefined;
  const { to } = doc.line(number);
  return breaksBetween({ doc, breaks }, to, to + 1)[0]?.ending;
}

/** The text of a document, or of a part of it, with its own line breaks. */
export function formatDocument(
  { doc, breaks: { ending, odd } }: DraftSide,
  start = 0,
  end: number = doc.length,
): string {
  const parts: string[] = [];
  let at = start;
  let endsInReturn = false;
  const add = (part: string) => {
    if (part === "") return;
    // A line that ends with a carriage return, and an empty one after it, must not become one.
    parts.push(endsInReturn && part.startsWith("\n") ? `\n${part}` : part);
    endsInReturn = part.endsWith("\r");
  };
  odd.between(start, end, (from, to, { ending: own }) => {
    if (from < start || to > end) return;
    add(doc.sliceString(at, from, ending));
    add(own);
    at = to;
  });
  add(doc.sliceString(at, end, ending));
  return parts.join("");
}

function toRange({ at, ending }: PlacedBreak): Range<OddBreak> {
  return new OddBreak(ending).range(at, at + 1);
}
