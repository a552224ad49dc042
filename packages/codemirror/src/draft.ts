import { Text } from "@codemirror/state";
import { type LaidOutText, layOut } from "@idewire/core/internal";
import type { LineRange } from "@idewire/core/internal/hunks";
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
  /** The parts that the proposal changes and that have also changed elsewhere since, as offsets in the base. */
  readonly conflicts: readonly Conflict[];
}

/** A part of the base, which may be empty. */
export interface Conflict {
  readonly from: number;
  readonly to: number;
}

/** Converts lines of a base to offsets. */
export function toConflicts(doc: Text, lines: readonly LineRange[]): readonly Conflict[] {
  const startOf = (index: number) => (index < doc.lines ? doc.line(index + 1).from : doc.length);
  return lines.map(({ from, to }) => ({ from: startOf(from), to: startOf(to) }));
}

/** The draft of a text that is not compared, as in a plain editor. */
export function draftOfText(text: string): Draft {
  const laidOut = layOut(text);
  const side = toDraftSide(laidOut);
  return { base: side, result: side, bom: laidOut.bom, conflicts: [] };
}

/** The same for the document that CodeMirror creates from the text, which starts with the byte order mark. */
export function draftOfDocument(text: string): Draft {
  const { lines, bom, ...endings } = layOut(text);
  if (!bom) return draftOfText(text);
  const [first = "", ...others] = lines;
  const side = toDraftSide({ ...endings, bom: false, lines: [`\uFEFF${first}`, ...others] });
  return { base: side, result: side, bom: false, conflicts: [] };
}

/** The text that would be accepted, to the byte. */
export function textOfDraft({ result, bom }: Draft): string {
  return (bom ? "\uFEFF" : "") + formatDocument(result);
}

export function toDraftSide(text: LaidOutText): DraftSide {
  const doc = Text.of([...text.lines]);
  return { doc, breaks: toBreaks(text, doc) };
}
