import { layOut, withEnding } from "@idewire/core/internal";
import { changedEndings, type LineRange } from "@idewire/core/internal/hunks";
import { type Draft, toConflicts, toDraftSide } from "./draft.ts";

/**
 * The draft of an unedited proposal. If the agent has changed the line endings of untouched lines, all of them to
 * the same ending, it restyles the whole file: rejected hunks are then written with that ending, too. Otherwise
 * every line keeps its own ending.
 * @param conflicts the lines of the current text that both sides changed
 */
export function createDraft(
  current: string,
  proposed: string,
  conflicts: readonly LineRange[] = [],
): Draft {
  const theirs = layOut(proposed);
  const ours = layOut(current);
  const isOneStyle = theirs.ending !== undefined && theirs.odd.size === 0;
  const isRestyled = isOneStyle && changedEndings(ours, theirs) > 0;
  const base = isRestyled ? withEnding(ours, theirs.ending ?? "\n") : ours;
  const result = toDraftSide(theirs);
  // A proposal of one line has no ending: new lines are written as in the current text.
  const ending = theirs.ending ?? ours.ending ?? "\n";
  const side = toDraftSide(base);
  return {
    base: side,
    conflicts: toConflicts(side.doc, conflicts),
    result: { ...result, breaks: { ...result.breaks, ending } },
    bom: theirs.bom,
  };
}
