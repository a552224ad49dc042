import { diffSequences, locate, splitLines } from "@idewire/core/internal/hunks";
import type { NoteEdit } from "./note-edits.ts";

/** The edits that turn one text into another, line by line; equal lines are not touched. */
export function replacements(now: string, then: string): readonly NoteEdit[] {
  const a = splitLines(now);
  const b = splitLines(then);
  return locate(diffSequences(a, b), a, b).map(({ fromA, toA, fromB, toB }) => ({
    from: fromA,
    to: toA,
    insert: then.slice(fromB, toB),
  }));
}
