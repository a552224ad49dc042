import { type LinePairs, pairLines } from "./pair-lines.ts";

/** A run of lines: equal on both sides, or replaced. */
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
  /** The probable counterpart of this line on the other side. */
  readonly counterpart?: string;
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
      text: lines[from + index] ?? "",
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
  let pairs: LinePairs | undefined;
  return {
    length: oldLines.length + newLines.length,
    at(index) {
      pairs ??= pairLines(oldLines, newLines);
      if (index < oldLines.length) {
        const text = oldLines[index] ?? "";
        return row("removed", oldFirst + index, text, newLines[pairs.addedFor(index) ?? -1]);
      }
      const added = index - oldLines.length;
      const text = newLines[added] ?? "";
      return row("added", newFirst + added, text, oldLines[pairs.removedFor(added) ?? -1]);
    },
  };
}

function row(
  kind: "removed" | "added",
  number: number,
  text: string,
  counterpart: string | undefined,
): DiffRow {
  return { kind, number, text, ...(counterpart !== undefined && { counterpart }) };
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
