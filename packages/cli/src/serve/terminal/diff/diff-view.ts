import type { Palette } from "../../../output/palette.ts";
import { join, line, Printable, showChunks, wholeCut } from "../../../output/printable.ts";
import type { DiffRow, DiffRows } from "./diff-rows.ts";

/** Longer lines are cut; the terminal wraps the rest. */
const MAX_LINE_LENGTH = 400;
/** How much of a long line is shown before its first change. */
const LEAD = 80;

/**
 * Draws rows of a diff: line number, sign, text; the changed words stand out.
 * @param lastNumber the greatest line number of the whole diff, for the width of the column
 */
export function drawRows(
  rows: readonly DiffRow[],
  lastNumber: number,
  palette: Palette,
): readonly Printable[] {
  const width = Math.max(3, String(lastNumber).length);
  // Wrapped rows do not run into the numbers and signs.
  return rows.map((row) => new Printable(drawRow(row, width, palette).text, width + 3));
}

/** A whole diff, drawn on demand. */
export function* drawAll(rows: DiffRows, palette: Palette): Iterable<Printable> {
  const step = 200;
  for (let from = 0; from < rows.length; from += step) {
    yield* drawRows(rows.slice(from, from + step), rows.lastNumber, palette);
  }
}

function drawRow(row: DiffRow, width: number, palette: Palette): Printable {
  if (row.kind === "gap") return palette.dim(`${" ".repeat(width)} ⋮`);
  const number = palette.dim(String(row.number).padStart(width));
  if (row.kind === "same") return line`${number}   ${drawText([plain(row.text)], palette, row)}`;
  const text = drawText(partsOf(row), palette, row);
  return row.kind === "removed"
    ? line`${number} ${palette.bad(line`- ${text}`)}`
    : line`${number} ${palette.good(line`+ ${text}`)}`;
}

/** A piece of a line. */
interface LinePart {
  readonly text: string;
  /** Whether it is missing from the other line. */
  readonly changed: boolean;
}

function partsOf({ text, marks = [] }: DiffRow): readonly LinePart[] {
  const parts: LinePart[] = [];
  let at = 0;
  for (const { from, to } of marks) {
    if (at < from) parts.push(plain(text.slice(at, from)));
    parts.push({ text: text.slice(from, to), changed: true });
    at = to;
  }
  return at < text.length || text === "" ? [...parts, plain(text.slice(at))] : parts;
}

function plain(text: string): LinePart {
  return { text, changed: false };
}

function drawText(parts: readonly LinePart[], palette: Palette, row: DiffRow): Printable {
  const mark = row.kind === "removed" ? palette.removedWord : palette.addedWord;
  const { shown, before, after } = clip(parts);
  const texts = shown.map(({ text, changed }) => text.replaceAll("\t", changed ? "→   " : "    "));
  const drawn = showChunks(texts).map((text, index) => (shown[index]?.changed ? mark(text) : text));
  const cut = (count: number) => palette.dim(`…(${count} characters)…`);
  return join([...(before > 0 ? [cut(before)] : []), ...drawn, ...(after > 0 ? [cut(after)] : [])]);
}

interface Clipped {
  readonly shown: readonly LinePart[];
  /** The UTF-16 units left out on either side. */
  readonly before: number;
  readonly after: number;
}

/** Cuts a long line to the part around its first change. */
function clip(parts: readonly LinePart[]): Clipped {
  const length = lengthOf(parts);
  if (length <= MAX_LINE_LENGTH) return { shown: parts, before: 0, after: 0 };
  const firstChange = parts.findIndex((part) => part.changed);
  const lead = firstChange < 0 ? 0 : lengthOf(parts.slice(0, firstChange));
  const before = Math.max(0, Math.min(lead - LEAD, length - MAX_LINE_LENGTH));
  const shown: LinePart[] = [];
  let position = 0;
  for (const { text, changed } of parts) {
    const from = wholeCut(text, Math.max(0, before - position));
    const to = wholeCut(
      text,
      Math.max(0, Math.min(text.length, before + MAX_LINE_LENGTH - position)),
    );
    if (from < to) shown.push({ text: text.slice(from, to), changed });
    position += text.length;
  }
  return { shown, before, after: length - before - lengthOf(shown) };
}

function lengthOf(parts: readonly LinePart[]): number {
  return parts.reduce((total, part) => total + part.text.length, 0);
}
