import { diffWords, marksOf } from "@idewire/core/internal/hunks";

/** A run of lines with their breaks: equal on both sides, or replaced. */
export interface DiffBlock {
  readonly same: boolean;
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
}

/** One line of a diff. Line numbers are 1-based. */
export interface DiffRow {
  readonly kind: "same" | "removed" | "added" | "gap";
  /** In the old text for a removed line, else in the new one; of a gap, that of the line after it. */
  readonly number: number;
  readonly text: string;
  /** The parts of a changed line that differ, in UTF-16 units, ascending. */
  readonly marks?: readonly Mark[];
}

/** A part of a line; `to` is not included. */
export interface Mark {
  readonly from: number;
  readonly to: number;
}

/** The numbers of a line in the old and the new text. */
export interface LineNumbers {
  readonly old: number;
  readonly new: number;
}

/** The number of unchanged lines shown on either side of a change. */
const CONTEXT = 3;

/** A section of a diff's rows, each created on demand. */
interface RowSection {
  readonly length: number;
  at(index: number): DiffRow;
}

/** The rows of a diff. There may be a million: each is created on demand. */
export class DiffRows {
  readonly length: number;
  /** The greatest line number in it. */
  readonly lastNumber: number;
  /** The number of changed places. */
  readonly hunks: number;
  readonly #sections: readonly RowSection[];

  /** @param first the numbers of the first lines, if the blocks are part of a diff */
  constructor(blocks: readonly DiffBlock[], first: LineNumbers = { old: 1, new: 1 }) {
    this.#sections = toSections(blocks, first);
    this.length = total(this.#sections.map((section) => section.length));
    this.hunks = blocks.filter(({ same }) => !same).length;
    const oldCount = total(blocks.map(({ oldLines }) => oldLines.length));
    const newCount = total(blocks.map(({ newLines }) => newLines.length));
    this.lastNumber = Math.max(first.old - 1 + oldCount, first.new - 1 + newCount);
  }

  /** As of an array. */
  slice(from: number, to: number): readonly DiffRow[] {
    const rows: DiffRow[] = [];
    let position = 0;
    for (const section of this.#sections) {
      const first = Math.max(0, from - position);
      const end = Math.min(section.length, to - position);
      for (let index = first; index < end; index++) rows.push(section.at(index));
      position += section.length;
    }
    return rows;
  }
}

function toSections(blocks: readonly DiffBlock[], first: LineNumbers): readonly RowSection[] {
  let oldNumber = first.old;
  let newNumber = first.new;
  return blocks.flatMap((block, index) => {
    const { same, oldLines, newLines } = block;
    const sections = same
      ? contextSections(newLines, newNumber, index > 0, index < blocks.length - 1)
      : [changeSection(block, oldNumber, newNumber)];
    oldNumber += oldLines.length;
    newNumber += newLines.length;
    return sections;
  });
}

/** The lines after a change, and those before the next one; a gap for lines left out. */
function contextSections(
  lines: readonly string[],
  first: number,
  isAfterChange: boolean,
  isBeforeChange: boolean,
): readonly RowSection[] {
  const head = isAfterChange ? CONTEXT : 0;
  const tail = isBeforeChange ? CONTEXT : 0;
  const section = (from: number, to: number): RowSection => ({
    length: to - from,
    at: (index) => ({
      kind: "same",
      number: first + from + index,
      text: withoutBreak(lines[from + index]),
    }),
  });
  if (lines.length <= head + tail) return [section(0, lines.length)];
  const rest = lines.length - tail;
  const gap: RowSection = {
    length: 1,
    at: () => ({ kind: "gap", number: first + rest, text: "" }),
  };
  const gaps = isAfterChange && isBeforeChange ? [gap] : [];
  return [section(0, head), ...gaps, section(rest, lines.length)];
}

function changeSection(
  { oldLines, newLines }: DiffBlock,
  oldFirst: number,
  newFirst: number,
): RowSection {
  let marks: readonly (readonly Mark[])[] | undefined;
  return {
    length: oldLines.length + newLines.length,
    at(index) {
      marks ??= markLines(oldLines, newLines);
      const isOld = index < oldLines.length;
      const place = isOld ? index : index - oldLines.length;
      return {
        kind: isOld ? "removed" : "added",
        number: (isOld ? oldFirst : newFirst) + place,
        text: withoutBreak((isOld ? oldLines : newLines)[place]),
        marks: marks[index] ?? [],
      };
    },
  };
}

/** The marks of the old lines, and then of the new ones. */
function markLines(
  oldLines: readonly string[],
  newLines: readonly string[],
): readonly (readonly Mark[])[] {
  const [a, b] = [oldLines.join(""), newLines.join("")];
  const words = marksOf(diffWords(a, b), a, b);
  return [
    ...placeMarks(
      oldLines,
      words.map(({ fromA, toA }) => ({ from: fromA, to: toA })),
    ),
    ...placeMarks(
      newLines,
      words.map(({ fromB, toB }) => ({ from: fromB, to: toB })),
    ),
  ];
}

/** Marks of a text as marks of its lines. */
function placeMarks(
  lines: readonly string[],
  marks: readonly Mark[],
): readonly (readonly Mark[])[] {
  let start = 0;
  let first = 0;
  return lines.map((line) => {
    const end = start + withoutBreak(line).length;
    const own: Mark[] = [];
    while ((marks[first]?.to ?? end) < start) first += 1;
    for (let index = first; (marks[index]?.from ?? end) < end; index += 1) {
      const { from, to } = marks[index] as Mark;
      const mark = { from: Math.max(from, start) - start, to: Math.min(to, end) - start };
      if (mark.from < mark.to) own.push(mark);
    }
    start += line.length;
    return own;
  });
}

function withoutBreak(line = ""): string {
  return line.endsWith("\n") ? line.slice(0, -1) : line;
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
