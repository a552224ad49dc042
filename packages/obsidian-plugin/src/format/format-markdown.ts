import { scanBlocks } from "@idewire/core/markdown";
import { unifyBullets } from "./bullets.ts";
import { applyEdits, inOrder, type NoteEdit } from "./edits.ts";
import { hasLazyTable, hasOddFootnote, type NoteLine, readLines } from "./note-lines.ts";
import { endOnce, separateBlocks, trimLines } from "./spacing.ts";
import { padTables } from "./tables.ts";

type FormatRule = (text: string, lines: readonly NoteLine[]) => readonly NoteEdit[];

const TRIMMING: readonly FormatRule[] = [trimLines, endOnce];
const SPACING: readonly FormatRule[] = [...TRIMMING, separateBlocks];

/** From the most to the fewest rules; the first that keeps the structure is used. */
const ATTEMPTS: readonly (readonly FormatRule[])[] = [
  [padTables, unifyBullets, ...SPACING],
  [padTables, ...SPACING],
  SPACING,
  TRIMMING,
];

/**
 * Formats a note without changing how it renders: trailing spaces, blank lines around headings, lists and
 * code, table columns, one mark for bullets, one line break at the end. Anything ambiguous is left alone.
 * Formatting is idempotent.
 */
export function formatMarkdown(text: string): string {
  return applyEdits(text, formatEdits(text));
}

/** The same as ordered edits, with which an editor keeps its cursor. */
export function formatEdits(text: string): readonly NoteEdit[] {
  // CommonMark ends a line at a lone carriage return, editors do not.
  if (/\r(?!\n)/.test(text)) return [];
  const lines = readLines(text);
  const isOdd = hasOddFootnote(text, lines) || hasLazyTable(text, lines);
  if (isOdd || lines.some(isItemAfterCode)) return [];
  const shape = shapeOf(lines);
  for (const rules of lines.some(isUnsure) ? [TRIMMING] : ATTEMPTS) {
    const edits = inOrder(rules.flatMap((rule) => rule(text, lines)));
    if (edits.length === 0) return [];
    if (shapeOf(scanBlocks(applyEdits(text, edits)).lines) === shape) return edits;
  }
  return [];
}

/** Parsers differ on an empty item that comes first in another item, or follows something else. */
function isUnsure(
  { kind, depth, opened }: NoteLine,
  at: number,
  lines: readonly NoteLine[],
): boolean {
  if (kind !== "blank" || opened.length === 0) return false;
  const before = lines[at - 1];
  if (before === undefined || before.kind === "blank") return opened.length > 1;
  return opened.length > 1 || before.depth <= depth - opened.length;
}

/** Parsers differ on whether an item may follow indented code. */
function isItemAfterCode({ opened, kindBefore }: NoteLine): boolean {
  return opened.length > 0 && kindBefore === "indented";
}

/** The block structure of a text, without blank lines. */
function shapeOf(lines: readonly Pick<NoteLine, "kind" | "depth" | "opened">[]): string {
  return lines
    .filter(({ kind, opened }) => kind !== "blank" || opened.length > 0)
    .map(({ kind, depth, opened }) => `${kind}${depth}${opened.length}`)
    .join(" ");
}
