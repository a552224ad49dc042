import { asWritten } from "../text/agent-endings.ts";
import { countOf } from "../text/count-of.ts";
import { type LaidOutText, layOut, nameEndings } from "../text/line-endings.ts";
import { diffSequences, splitLines } from "./sequences.ts";

/** Changes of a proposal that a comparison of lines does not show. */
export interface HiddenChanges {
  /** Undefined if every unchanged line keeps its ending. */
  readonly endings?: {
    /** `LF`, `CRLF`, `CR` or `mixed`. */
    readonly from: string;
    readonly to: string;
    /** How many unchanged lines end differently; 0 if none is unchanged. */
    readonly lines: number;
  };
  /** Whether the byte order mark is added or removed. */
  readonly bom?: "added" | "removed";
}

export function findHiddenChanges(current: string, proposed: string): HiddenChanges {
  const [ours, theirs] = [layOut(current), layOut(asWritten(current, proposed))];
  const [from, to] = [nameEndings(ours), nameEndings(theirs)];
  const lines = changedEndings(ours, theirs);
  const isNews = from !== undefined && to !== undefined && (lines > 0 || from !== to);
  return {
    ...(isNews && { endings: { from, to, lines } }),
    ...(ours.bom !== theirs.bom && { bom: theirs.bom ? "added" : "removed" }),
  };
}

/** The same in words: for each a sentence without a full stop; none for a new file. */
export function describeHiddenChanges(current: string, proposed: string): readonly string[] {
  if (current === "") return [];
  const { endings, bom } = findHiddenChanges(current, proposed);
  const notes: string[] = [];
  if (endings !== undefined) {
    const { from, to, lines } = endings;
    const where = lines === 0 ? "" : ` in ${countOf(lines, "line")}`;
    notes.push(`Line endings change from ${from} to ${to}${where}`);
  }
  if (bom !== undefined) notes.push(`A byte order mark is ${bom} at the start of the file`);
  return notes;
}

/** The number of common lines with another ending in the second text. */
export function changedEndings(a: LaidOutText, b: LaidOutText): number {
  if (a.odd.size === 0 && b.odd.size === 0 && a.ending === b.ending) return 0;
  let changed = 0;
  let fromA = 0;
  let fromB = 0;
  const last = { fromA: a.lines.length, toA: 0, fromB: 0, toB: 0 };
  for (const change of [...diffSequences(shownLines(a), shownLines(b)), last]) {
    for (; fromA < change.fromA; fromA += 1, fromB += 1) {
      if (differ(endingOf(a, fromA), endingOf(b, fromB))) changed += 1;
    }
    fromA = change.toA;
    fromB = change.toB;
  }
  return changed;
}

/** As shown to the person: a line with its break differs from one without. */
function shownLines({ lines }: LaidOutText): string[] {
  return splitLines(lines.join("\n"));
}

/** The last line has no ending, so it never differs. */
function endingOf({ lines, ending, odd }: LaidOutText, index: number): string | undefined {
  return index >= lines.length - 1 ? undefined : (odd.get(index) ?? ending);
}

function differ(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a !== b;
}
