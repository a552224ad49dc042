import type { NoteEdit } from "./edits.ts";
import type { NoteLine } from "./note-lines.ts";

/** In columns: wider tables would wrap, and are not padded. */
const MAX_WIDTH = 150;

const DELIMITERS = /^\|(?:[ \t]*:?-+:?[ \t]*\|)*[ \t]*:?-+:?[ \t]*\|?$/;

type Alignment = "left" | "right" | "center" | "none";

interface Table {
  readonly rows: readonly NoteLine[];
  readonly cells: readonly (readonly string[])[];
}

/** Aligns the columns of tables. */
export function padTables(text: string, lines: readonly NoteLine[]): readonly NoteEdit[] {
  return lines.flatMap((line, at) => {
    const next = lines[at + 1];
    if (line.kind !== "paragraph" || next === undefined) return [];
    if (!isRow(text, line) || !DELIMITERS.test(contentOf(text, next))) return [];
    const table = readTable(text, lines, at);
    return table === undefined ? [] : padTable(text, table);
  });
}

/** Undefined if it may not be a table, or is ambiguous. */
function readTable(text: string, lines: readonly NoteLine[], at: number): Table | undefined {
  let end = at + 1;
  while (lines[end]?.kind === "continuation") end++;
  const rows = lines.slice(at, end);
  if (lines[end]?.kind === "underline" || !rows.every((row) => isRow(text, row))) return undefined;
  const cells = rows.map((row) => splitRow(contentOf(text, row)));
  const columns = cells[0]?.length ?? 0;
  if (cells[1]?.length !== columns) return undefined;
  const isWhole = (row: readonly string[] | undefined): row is readonly string[] =>
    row !== undefined && row.length > 0 && row.length <= columns;
  return cells.every(isWhole) ? { rows, cells } : undefined;
}

function isRow(text: string, { start, contentStart, depth, isOpaque }: NoteLine): boolean {
  return depth === 0 && !isOpaque && contentStart - start < 4 && text[contentStart] === "|";
}

function contentOf(text: string, { contentStart, end }: NoteLine): string {
  return trim(text.slice(contentStart, end));
}

/** Undefined where parsers differ on which pipe is escaped. */
function splitRow(row: string): readonly string[] | undefined {
  if (/\\\\\||\\$/.test(row)) return undefined;
  const cells: string[] = [];
  let start = 1;
  for (let at = 1; at < row.length; at++) {
    if (row[at] === "\\") at++;
    else if (row[at] === "|") {
      cells.push(trim(row.slice(start, at)));
      start = at + 1;
    }
  }
  if (start < row.length) cells.push(trim(row.slice(start)));
  return cells.some(isCutLink) ? undefined : cells;
}

/** Whether the cell ends inside a link or code: its author did not mean the pipe as a separator. */
function isCutLink(cell: string): boolean {
  return cell.lastIndexOf("[[") > cell.lastIndexOf("]]") || (cell.split("`").length & 1) === 0;
}

/** Trims spaces and tabs only: other white space is content. */
function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text[start])) start++;
  while (end > start && isSpace(text[end - 1])) end--;
  return text.slice(start, end);
}

function isSpace(character: string | undefined): boolean {
  return character === " " || character === "\t";
}

function padTable(text: string, { rows, cells }: Table): readonly NoteEdit[] {
  const alignments = (cells[1] ?? []).map(alignmentOf);
  const widths = alignments.map((_, column) => columnWidth(cells, column));
  const width = widths.reduce((sum, one) => sum + one + 3, 1);
  const used = width > MAX_WIDTH ? widths.map(() => 0) : widths;
  return rows.flatMap((row, at): NoteEdit[] => {
    const made = (cells[at] ?? []).map((cell, column) => {
      const alignment = alignments[column] ?? "none";
      const goal = used[column] ?? 0;
      return at === 1 ? delimiter(alignment, Math.max(goal, 3)) : pad(cell, goal, alignment);
    });
    const insert = `| ${made.join(" | ")} |`;
    const from = row.contentStart;
    return insert === text.slice(from, row.end) ? [] : [{ from, to: row.end, insert }];
  });
}

function columnWidth(cells: Table["cells"], column: number): number {
  let width = 3;
  for (const [at, row] of cells.entries()) {
    if (at !== 1) width = Math.max(width, displayWidth(row[column] ?? ""));
  }
  return width;
}

function alignmentOf(cell: string): Alignment {
  const [left, right] = [cell.startsWith(":"), cell.endsWith(":")];
  if (left && right) return "center";
  return left ? "left" : right ? "right" : "none";
}

function delimiter(alignment: Alignment, width: number): string {
  const left = alignment === "left" || alignment === "center" ? ":" : "-";
  const right = alignment === "right" || alignment === "center" ? ":" : "-";
  return `${left}${"-".repeat(width - 2)}${right}`;
}

function pad(cell: string, width: number, alignment: Alignment): string {
  const space = Math.max(0, width - displayWidth(cell));
  const before = alignment === "right" ? space : alignment === "center" ? space >> 1 : 0;
  return `${" ".repeat(before)}${cell}${" ".repeat(space - before)}`;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

/** Approximate width in columns of a fixed-width font. */
function displayWidth(cell: string): number {
  if (/^[ -~]*$/.test(cell)) return cell.length;
  let width = 0;
  for (const character of cell) {
    if (/\p{Mn}|\u200d|\ufe0f/u.test(character)) continue;
    width += WIDE.test(character) ? 2 : 1;
  }
  return width;
}
