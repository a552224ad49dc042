import type { NoteEdit } from "./edits.ts";
import type { NoteLine } from "./note-lines.ts";

/**
 * Gives all bullets of a note the mark of the first one. If two lists are separated only by different
 * marks, nothing is changed.
 */
export function unifyBullets(_text: string, lines: readonly NoteLine[]): readonly NoteEdit[] {
  const opened = lines.flatMap((line) =>
    line.opened
      .filter(({ marker }) => isBullet(marker))
      .map(({ start, marker }) => ({ start, marker, isOpaque: line.isOpaque })),
  );
  const wanted = opened[0]?.marker;
  const others = opened.filter(({ marker }) => marker !== wanted);
  if (wanted === undefined || others.some(({ isOpaque }) => isOpaque)) return [];
  if (others.length === 0 || marksDivideLists(lines)) return [];
  return others.map(({ start }) => ({ from: start, to: start + 1, insert: wanted }));
}

function isBullet(marker: string): boolean {
  return marker === "-" || marker === "*" || marker === "+";
}

/** Whether two lists follow each other at one depth with nothing else between. */
function marksDivideLists(lines: readonly NoteLine[]): boolean {
  /** The mark of the last item at each depth whose list may continue. */
  const last: string[] = [];
  for (const { kind, depth, opened } of lines) {
    if (kind === "blank" && opened.length === 0) continue;
    if (kind === "continuation") continue;
    const outer = depth - opened.length;
    if (opened.length === 0) last.length = Math.min(last.length, outer);
    for (const [at, { marker }] of opened.entries()) {
      const known = last[outer + at];
      const isOther = known !== undefined && known !== marker;
      if (isOther && isBullet(known) && isBullet(marker)) return true;
      last.length = Math.min(last.length, outer + at);
      last[outer + at] = marker;
    }
  }
  return false;
}
