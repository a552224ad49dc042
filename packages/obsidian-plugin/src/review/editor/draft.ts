import { Text } from "@codemirror/state";
import { type LaidOutText, layOut, withEnding } from "../text/line-endings.ts";
import { splitLines } from "../text/prose-diff.ts";
import { diffSequences } from "../text/sequence-diff.ts";
import { type Breaks, formatDocument, toBreaks } from "./breaks.ts";

/** A document and how its lines end. */
export interface Side {
  readonly doc: Text;
  readonly breaks: Breaks;
}

/**
 * A proposal as far as it has been reviewed: `base` is what it is compared with, the current text
 * and the changes accepted so far; `result` is what the person sees and would accept.
 */
export interface Draft {
  readonly base: Side;
  readonly result: Side;
  /** The result starts with a byte order mark. */
  readonly bom: boolean;
}

/**
 * The draft of a proposal that nobody has touched. An agent that ended the lines that it left alone
 * in another way, all of them alike, writes the whole file so: what is taken back from the current
 * text is then written so too. Else every line keeps the ending that it has.
 */
export function createDraft(current: string, proposed: string): Draft {
  const theirs = layOut(proposed);
  const ours = layOut(current);
  const isOneStyle = theirs.ending !== undefined && theirs.odd.size === 0;
  const isRestyled = isOneStyle && !keepsEndings(ours, theirs);
  const base = isRestyled ? withEnding(ours, theirs.ending ?? "\n") : ours;
  const result = toSide(theirs);
  // A proposal of one line says nothing of endings: a new line is written as in the current text.
  const ending = theirs.ending ?? ours.ending ?? "\n";
  return {
    base: toSide(base),
    result: { ...result, breaks: { ...result.breaks, ending } },
    bom: theirs.bom,
  };
}

/** The text as it would be accepted, to the letter. */
export function textOfDraft({ result, bom }: Draft): string {
  return (bom ? "\uFEFF" : "") + formatDocument(result.doc, result.breaks);
}

function toSide(text: LaidOutText): Side {
  const doc = Text.of([...text.lines]);
  return { doc, breaks: toBreaks(text, doc) };
}

/** Whether every line that is in both ends in both alike. */
function keepsEndings(a: LaidOutText, b: LaidOutText): boolean {
  if (a.odd.size === 0 && b.odd.size === 0 && a.ending === b.ending) return true;
  let fromA = 0;
  let fromB = 0;
  const last = { fromA: a.lines.length, fromB: b.lines.length };
  for (const change of [...diffSequences(shownLines(a), shownLines(b)), last]) {
    for (let i = 0; fromA + i < change.fromA; i += 1) {
      if (differ(endingOf(a, fromA + i), endingOf(b, fromB + i))) return false;
    }
    fromA = "toA" in change ? change.toA : fromA;
    fromB = "toB" in change ? change.toB : fromB;
  }
  return true;
}

/** As they are compared for the person: a line is not the same with and without its break. */
function shownLines({ lines }: LaidOutText): string[] {
  return splitLines(lines.join("\n"));
}

/** The last line ends in nothing, and quarrels with nobody. */
function endingOf({ lines, ending, odd }: LaidOutText, index: number): string | undefined {
  return index === lines.length - 1 ? undefined : (odd.get(index) ?? ending);
}

function differ(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a !== b;
}
