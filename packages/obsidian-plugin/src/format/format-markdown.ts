import { scanBlocks } from "@idewire/core/markdown";
import { unifyBullets } from "./bullets.ts";
import { applyEdits, inOrder, type NoteEdit } from "./edits.ts";
import { hasLazyTable, hasOddFootnote, type NoteLine, readLines } from "./note-lines.ts";
import { endOnce, separateBlocks, trimLines } from "./spacing.ts";
import { padTables } from "./tables.ts";

type FormatRule = (text: string, lines: readonly NoteLine[]) => readonly NoteEdit[];

const TRIMMING: readonly FormatRule[] = [trimLines, endOnce];
const SPACING: readonly FormatRule[] = [...TRIMMING, separateBlocks];

/** From the most to the least: what would change the structure is left out. */
const ATTEMPTS: readonly (readonly FormatRule[])[] = [
  [padTables, unifyBullets, ...SPACING],
  [padTables, ...SPACING],
  SPACING,
  TRIMMING,
];

/**
 * Makes a note tidy without changing what is rendered of it: spaces at line ends, blank lines around
 * headings, lists and code, columns of tables, one mark for bullets, one line end at the end. What
 * it does not know for sure it leaves. Formatting twice changes nothing more.
 */
export function formatMarkdown(text: string): string {
  return applyEdits(text, formatEdits(text));
}

/** The same as the changes that it takes, in order, so that an editor keeps its cursor. */
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

/** Parsers differ on an empty item that is the first of an item, or follows what is no item. */
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

/** What a text's blocks are, blank lines apart. */
function shapeOf(lines: readonly Pick<NoteLine, "kind" | "depth" | "opened">[]): string {
  return lines
    .filter(({ kind, opened }) => kind !== "blank" || opened.length > 0)
    .map(({ kind, depth, opened }) => `${kind}${depth}${opened.length}`)
    .join(" ");
}
