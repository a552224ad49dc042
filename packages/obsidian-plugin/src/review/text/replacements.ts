import { diffSequences, splitLines } from "@idewire/codemirror/review";

/** One replaced stretch, in offsets of the old text. */
export interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** What makes one text of another, line by line: what stays is not touched. */
export function replacements(now: string, then: string): readonly Replacement[] {
  const a = splitLines(now);
  const b = splitLines(then);
  let line = 0;
  let offset = 0;
  const offsetOf = (to: number) => {
    for (; line < to; line += 1) offset += a[line]?.length ?? 0;
    return offset;
  };
  return diffSequences(a, b).map(({ fromA, toA, fromB, toB }) => ({
    from: offsetOf(fromA),
    to: offsetOf(toA),
    text: b.slice(fromB, toB).join(""),
  }));
}
