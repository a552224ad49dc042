import { Text } from "@codemirror/state";
import { type DraftSide, formatDocument, toBreaks } from "./breaks.ts";
import { type LaidOutText, layOut } from "./line-endings.ts";

/**
 * A proposal as far as it has been reviewed: `base` is what it is compared with, the current text
 * and the changes accepted so far; `result` is what the person sees and would accept.
 */
export interface Draft {
  readonly base: DraftSide;
  readonly result: DraftSide;
  /** The result starts with a byte order mark. */
  readonly bom: boolean;
}

/** The draft of a text that is compared with nothing: that of a plain editor. */
export function draftOfText(text: string): Draft {
  const laidOut = layOut(text);
  const side = toDraftSide(laidOut);
  return { base: side, result: side, bom: laidOut.bom };
}

/** The text as it would be accepted, to the letter. */
export function textOfDraft({ result, bom }: Draft): string {
  return (bom ? "\uFEFF" : "") + formatDocument(result);
}

export function toDraftSide(text: LaidOutText): DraftSide {
  const doc = Text.of([...text.lines]);
  return { doc, breaks: toBreaks(text, doc) };
}
