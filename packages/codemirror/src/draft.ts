import { Text } from "@codemirror/state";
import { type LaidOutText, layOut } from "@idewire/core/internal";
import { type DraftSide, formatDocument, toBreaks } from "./breaks.ts";

/**
 * A proposal under review: `base` is the current text with the hunks accepted so far; `result` is the text that
 * would be accepted.
 */
export interface Draft {
  readonly base: DraftSide;
  readonly result: DraftSide;
  /** The result starts with a byte order mark. */
  readonly bom: boolean;
}

/** The draft of a text that is not compared, as in a plain editor. */
export function draftOfText(text: string): Draft {
  const laidOut = layOut(text);
  const side = toDraftSide(laidOut);
  return { base: side, result: side, bom: laidOut.bom };
}

/** The same for the document that CodeMirror makes of the text, which starts with the byte order mark. */
export function draftOfDocument(text: string): Draft {
  const { lines, bom, ...endings } = layOut(text);
  if (!bom) return draftOfText(text);
  const [first = "", ...others] = lines;
  const side = toDraftSide({ ...endings, bom: false, lines: [`\uFEFF${first}`, ...others] });
  return { base: side, result: side, bom: false };
}

/** The text that would be accepted, to the byte. */
export function textOfDraft({ result, bom }: Draft): string {
  return (bom ? "\uFEFF" : "") + formatDocument(result);
}

export function toDraftSide(text: LaidOutText): DraftSide {
  const doc = Text.of([...text.lines]);
  return { doc, breaks: toBreaks(text, doc) };
}
