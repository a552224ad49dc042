import { type ChangeDesc, type Range, RangeSet, RangeValue, type Text } from "@codemirror/state";
import type { LaidOutText, LineEnding } from "../text/line-endings.ts";

/** A line break that is not as most are: a range over the break itself. */
class OddBreak extends RangeValue {
  readonly ending: LineEnding;

  constructor(ending: LineEnding) {
    super();
    this.ending = ending;
    // What is typed before or after a break is no part of it.
    this.startSide = 1;
    this.endSide = -1;
  }

  override eq(other: OddBreak): boolean {
    return other.ending === this.ending;
  }
}

/** A break at an offset of the document, and how it is written. */
export interface PlacedBreak {
  readonly at: number;
  readonly ending: LineEnding;
}

/** How the lines of an edited document end: what CodeMirror itself does not keep. */
export interface Breaks {
  /** Of most lines, and of every new one. */
  readonly ending: LineEnding;
  readonly odd: RangeSet<OddBreak>;
}

export function toBreaks(text: LaidOutText, doc: Text): Breaks {
  const placed = [...text.odd].map(([index, ending]) => ({ at: doc.line(index + 1).to, ending }));
  return { ending: text.ending ?? "\n", odd: RangeSet.of(placed.map(toRange), true) };
}

/** The breaks that outlive a change. One that is replaced is gone, whatever replaces it. */
export function mapBreaks(breaks: Breaks, changes: ChangeDesc): Breaks {
  let { odd } = breaks;
  if (odd.size === 0) return breaks;
  changes.iterChangedRanges((filterFrom, filterTo) => {
    const filter = (from: number, to: number) => to <= filterFrom || from >= filterTo;
    odd = odd.update({ filter, filterFrom, filterTo });
  }, true);
  return { ...breaks, odd: odd.map(changes) };
}

/** Breaks that were just written; those that are like the others need no note. */
export function addBreaks(breaks: Breaks, placed: readonly PlacedBreak[]): Breaks {
  const add = placed.filter(({ ending }) => ending !== breaks.ending).map(toRange);
  return add.length === 0 ? breaks : { ...breaks, odd: breaks.odd.update({ add, sort: true }) };
}

/** The breaks that are not as most are, from one offset up to another. */
export function oddBetween({ odd }: Breaks, from: number, to: number): PlacedBreak[] {
  const found: PlacedBreak[] = [];
  odd.between(from, to, (at, end, { ending }) => {
    if (at >= from && end <= to) found.push({ at, ending });
  });
  return found;
}

/**
 * Every break of a stretch that `other` would write otherwise, moved by `offset`. For a stretch
 * that is copied from one document into another.
 */
export function copyBreaks(source: Source, target: Breaks, offset: number): PlacedBreak[] {
  const { doc, breaks, from, to } = source;
  const odd = oddBetween(breaks, from, to);
  if (breaks.ending === target.ending) return odd.map((b) => ({ ...b, at: b.at + offset }));
  const endings = new Map(odd.map(({ at, ending }) => [at, ending]));
  const copied: PlacedBreak[] = [];
  for (let line = doc.lineAt(from); line.to < to; line = doc.line(line.number + 1)) {
    copied.push({ at: line.to + offset, ending: endings.get(line.to) ?? breaks.ending });
  }
  return copied;
}

interface Source {
  readonly doc: Text;
  readonly breaks: Breaks;
  readonly from: number;
  readonly to: number;
}

/** The text of a document with its own line breaks. */
export function formatDocument(doc: Text, { ending, odd }: Breaks): string {
  const parts: string[] = [];
  let at = 0;
  let endsInReturn = false;
  const add = (part: string) => {
    if (part === "") return;
    // A line that ends with a carriage return, and an empty one after it, must not become one.
    parts.push(endsInReturn && part.startsWith("\n") ? `\n${part}` : part);
    endsInReturn = part.endsWith("\r");
  };
  odd.between(0, doc.length, (from, to, { ending: own }) => {
    add(doc.sliceString(at, from, ending));
    add(own);
    at = to;
  });
  add(doc.sliceString(at, doc.length, ending));
  return parts.join("");
}

function toRange({ at, ending }: PlacedBreak): Range<OddBreak> {
  return new OddBreak(ending).range(at, at + 1);
}
