import { lineHunks } from "@idewire/core/internal/hunks";

/** Lines of a text, 1-based and inclusive. */
interface LineSpan {
  readonly line: number;
  readonly endLine: number;
}

/** A proposal, and the person's draft of it. */
interface DraftOfProposal {
  readonly draft: string;
  readonly proposed: string;
}

/**
 * The lines of a proposal that are at lines of its draft: the agent knows only the former. Where the person has
 * rejected or edited a hunk, all of its proposed lines.
 */
export function linesOfProposal(
  { line, endLine }: LineSpan,
  { draft, proposed }: DraftOfProposal,
): LineSpan {
  if (draft === proposed) return { line, endLine };
  const hunks = lineHunks(draft, proposed);
  const count = proposed.split("\n").length;
  const first = Math.min(placeOf(line - 1, hunks).from + 1, count);
  const last = Math.min(placeOf(endLine - 1, hunks).to + 1, count);
  return { line: first, endLine: Math.max(first, last) };
}

/** The first and the last line, from 0, of the proposal that correspond to a line of the draft. */
function placeOf(
  line: number,
  hunks: ReturnType<typeof lineHunks>,
): { readonly from: number; readonly to: number } {
  let shift = 0;
  for (const { fromA, toA, fromB, toB } of hunks) {
    if (line < fromA) break;
    if (line < toA) return { from: fromB, to: toB - 1 };
    shift = toB - toA;
  }
  return { from: line + shift, to: line + shift };
}
