import { type Draft, toDraftSide } from "./draft.ts";
import { changedEndings } from "./hidden-changes.ts";
import { layOut, withEnding } from "./line-endings.ts";

/**
 * The draft of a proposal that nobody has touched. An agent that ended the lines that it left alone
 * in another way, all of them alike, writes the whole file so: what is taken back from the current
 * text is then written so too. Else every line keeps the ending that it has.
 */
export function createDraft(current: string, proposed: string): Draft {
  const theirs = layOut(proposed);
  const ours = layOut(current);
  const isOneStyle = theirs.ending !== undefined && theirs.odd.size === 0;
  const isRestyled = isOneStyle && changedEndings(ours, theirs) > 0;
  const base = isRestyled ? withEnding(ours, theirs.ending ?? "\n") : ours;
  const result = toDraftSide(theirs);
  // A proposal of one line says nothing of endings: a new line is written as in the current text.
  const ending = theirs.ending ?? ours.ending ?? "\n";
  return {
    base: toDraftSide(base),
    result: { ...result, breaks: { ...result.breaks, ending } },
    bom: theirs.bom,
  };
}
