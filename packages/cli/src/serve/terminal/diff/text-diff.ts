import { diffSequences } from "@idewire/core/internal/hunks";
import { type DiffBlock, DiffRows } from "./diff-rows.ts";
import { type SplitText, splitText } from "./split-text.ts";

/** The difference of two texts, for people. */
export interface TextDiff {
  readonly added: number;
  readonly removed: number;
  /** Changes that the lines do not show, such as line endings. */
  readonly notes: readonly string[];
  readonly rows: DiffRows;
}

/**
 * Compares by lines.
 * @param before undefined when there is no old text
 */
export function diffTexts(before: string | undefined, after: string): TextDiff {
  const old = splitText(before ?? "");
  const next = splitText(after);
  const keepsCarriageReturns = old.ending === "mixed" || next.ending === "mixed";
  const oldLines = keepsCarriageReturns ? old.rawLines : old.lines;
  const newLines = keepsCarriageReturns ? next.rawLines : next.lines;
  const blocks = compareLines(oldLines.map(withBreak), newLines.map(withBreak));
  const changes = blocks.filter((block) => !block.same);
  return {
    added: sum(changes.map((block) => block.newLines.length)),
    removed: sum(changes.map((block) => block.oldLines.length)),
    notes: describe(before, after, old, next),
    rows: new DiffRows(blocks),
  };
}

function withBreak(line: string): string {
  return `${line}\n`;
}

function describe(
  before: string | undefined,
  after: string,
  old: SplitText,
  next: SplitText,
): string[] {
  const notes: string[] = [];
  if (before === undefined) notes.push(after === "" ? "a new, empty file" : "a new file");
  else if (before === after) notes.push("no change: the text is the same");
  else if (after === "") notes.push("the whole text is deleted");
  if (before === undefined || before === "" || after === "") return notes;
  if (old.ending && next.ending && old.ending !== next.ending) {
    notes.push(`line endings change from ${old.ending} to ${next.ending}`);
  }
  if (old.isEnded !== next.isEnded) {
    notes.push(`the newline at the end of the file is ${next.isEnded ? "added" : "removed"}`);
  }
  return notes;
}

/** Equal and replaced blocks of lines with their breaks; each replaced block is a hunk. */
export function compareLines(
  before: readonly string[],
  after: readonly string[],
): readonly DiffBlock[] {
  const blocks: DiffBlock[] = [];
  let at = 0;
  const same = (to: number) => {
    const lines = after.slice(at, to);
    if (lines.length > 0) blocks.push({ same: true, oldLines: lines, newLines: lines });
  };
  for (const { fromA, toA, fromB, toB } of diffSequences(before, after)) {
    same(fromB);
    blocks.push({
      same: false,
      oldLines: before.slice(fromA, toA),
      newLines: after.slice(fromB, toB),
    });
    at = toB;
  }
  same(after.length);
  return blocks;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
