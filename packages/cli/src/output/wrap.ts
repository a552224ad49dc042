import type { CliOutput } from "../process/io.ts";
import type { Printable } from "./printable.ts";

/** The codes that end our colours. */
const ENDS: ReadonlyMap<string, string> = new Map([
  ["1", "22"],
  ["2", "22"],
  ["7", "27"],
  ["31", "39"],
  ["32", "39"],
  ["33", "39"],
]);
/** The start of our colour codes. */
export const ESCAPE = "\x1b";
const COLOUR = new RegExp(`${ESCAPE}\\[(\\d+)m`, "g");
const CHUNKS = / +|[^ ]+/g;
/** Continuation rows are indented: at the left margin, foreign text could pass for a line of its own. */
const LEAST_INDENT = 2;
/** Longer than any label, and short enough for a fast regular expression. */
const MAX_LABEL = 2_000;

/** Loaded only for terminals: its patterns cost more to compile than the rest of the command. */
let stringWidth: ((text: string) => number) | undefined;

/** Loads the widths of characters; await it before laying out text for a terminal. */
export async function loadWidths(): Promise<void> {
  stringWidth = (await import("string-width")).default;
}

/** A line wrapped at spaces for a terminal; unchanged if there is no terminal. */
export function layOut(line: Printable, { isTTY, columns = 0 }: CliOutput): string {
  return isTTY === true && columns > 0 ? wrapLine(line, columns) : line.text;
}

interface TextColumn {
  readonly column: number;
  /** The text starts in its own row. */
  readonly isBelow: boolean;
}

/**
 * Wraps a line between words. Later rows are indented, below the text of the first, or less where a word would
 * not fit. Words longer than a row are left to the terminal, so that addresses can be copied.
 */
export function wrapLine({ text, hang }: Printable, columns: number): string {
  if (widthOf(text) <= columns) return text;
  const { column, isBelow } = textColumn(text.replace(COLOUR, ""), columns, hang);
  const open = new Set<string>();
  let rows = "";
  let width = 0;
  let spaces = 0;
  for (const [piece] of text.matchAll(CHUNKS)) {
    if (piece.startsWith(" ")) {
      spaces = piece.length;
      continue;
    }
    const length = widthOf(piece);
    const isFirst = rows === "";
    const isText = isBelow && spaces > 1 && !isFirst && !rows.includes("\n");
    if (isText || (width + spaces + length > columns && length <= columns && length > 0)) {
      const indent = isFirst ? 0 : Math.max(0, Math.min(column, columns - length));
      if (!isFirst) {
        spaces = isText ? 0 : spacesLeft(spaces, columns - width);
        rows += `${ends(open)}\n${" ".repeat(indent)}${starts(open)}`;
      }
      spaces = Math.min(spaces, Math.max(0, columns - length - indent));
      width = indent;
    }
    if (length === 0) spaces = Math.min(spaces, columns - width);
    rows += " ".repeat(spaces) + piece;
    width += spaces + length;
    if (width > columns) width = width % columns || columns;
    spaces = 0;
    follow(piece, open);
  }
  return rows;
}

/** The part of several spaces that does not fit into the previous row. */
function spacesLeft(count: number, room: number): number {
  return count === 1 ? 0 : Math.max(0, count - room);
}

/** The column at which the text of a line starts; in the next row if its label takes more than half of the row. */
function textColumn(plain: string, columns: number, hang: number | undefined): TextColumn {
  if (hang !== undefined) return { column: hang, isBelow: false };
  const [label = ""] = /^ *\S+(?: \S+)* {2,}(?=\S)/.exec(plain.slice(0, MAX_LABEL)) ?? [];
  const width = widthOf(label);
  const lead = Math.min(plain.length - plain.trimStart().length, Math.floor(columns / 2));
  if (width === 0) return { column: Math.max(LEAST_INDENT, lead), isBelow: false };
  return width <= columns / 2
    ? { column: width, isBelow: false }
    : { column: lead + 4, isBelow: true };
}

/** The rows of a plain text, cut where the terminal would wrap it. */
export function cutRows(text: string, columns: number): readonly string[] {
  if (widthOf(text) <= columns) return [text];
  const rows: string[] = [];
  let row = "";
  let width = 0;
  for (const character of text) {
    const length = widthOf(character);
    if (width + length > columns) {
      rows.push(row);
      row = "";
      width = 0;
    }
    row += character;
    width += length;
  }
  return [...rows, row];
}

/** The width in columns, without colours. */
function widthOf(text: string): number {
  const plain = text.replace(COLOUR, "");
  if (stringWidth === undefined || /^[\x20-\x7e]*$/.test(plain)) return plain.length;
  return stringWidth(plain);
}

/** Tracks the colours that are on after a piece. */
function follow(piece: string, open: Set<string>): void {
  for (const [, code = ""] of piece.matchAll(COLOUR)) {
    if (ENDS.has(code)) open.add(code);
    else for (const start of open) if (ENDS.get(start) === code) open.delete(start);
  }
}

function starts(open: ReadonlySet<string>): string {
  return [...open].map((code) => `${ESCAPE}[${code}m`).join("");
}

function ends(open: ReadonlySet<string>): string {
  return [...open].map((code) => `${ESCAPE}[${ENDS.get(code)}m`).join("");
}
