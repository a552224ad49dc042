import { diffSequences, locate, type SequenceChange, splitLines } from "./sequences.ts";

/**
 * The hunks of a diff, in order: lines of two texts that differ, with at least one equal line between two hunks.
 * Each is given by offsets of whole lines, breaks included; a last line without a break differs from the same line
 * with one. Every frontend shows these hunks.
 */
export function findHunks(a: string, b: string): readonly SequenceChange[] {
  if (a === b) return [];
  const [linesA, linesB] = [splitLines(a), splitLines(b)];
  return locate(diffSequences(linesA, linesB), linesA, linesB);
}
