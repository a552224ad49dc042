import { diffArrays } from "diff";
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
 * Texts with more added and removed lines than this are not compared to the end. A number rather than a time,
 * so that the result is the same on any machine.
 */
const MAX_EDITS = 1_500;

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
  const blocks = compareLines(oldLines, newLines);
  const changes = blocks.filter((block) => !block.same);
  return {
    added: sum(changes.map((block) => block.newLines.length)),
    removed: sum(changes.map((block) => block.oldLines.length)),
    notes: describe(before, after, old, next),
    rows: new DiffRows(blocks),
  };
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

/** Equal and replaced blocks; texts with little in common are not compared to the end. */
export function compareLines(
  before: readonly string[],
  after: readonly string[],
): readonly DiffBlock[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const middle = compareMiddle(
    before.slice(head, before.length - tail),
    after.slice(head, after.length - tail),
  );
  const same = (lines: readonly string[]) => ({ same: true, oldLines: lines, newLines: lines });
  return [same(after.slice(0, head)), ...middle, same(after.slice(after.length - tail))].filter(
    ({ oldLines, newLines }) => oldLines.length + newLines.length > 0,
  );
}

function compareMiddle(before: string[], after: string[]): readonly DiffBlock[] {
  const isOneSided = before.length === 0 || after.length === 0;
  const changes = isOneSided ? undefined : diffArrays(before, after, { maxEditLength: MAX_EDITS });
  if (changes === undefined) return [{ same: false, oldLines: before, newLines: after }];
  const blocks: DiffBlock[] = [];
  let pending: { oldLines: string[]; newLines: string[] } | undefined;
  for (const { added, removed, value } of changes) {
    if (!added && !removed) {
      if (pending) blocks.push({ same: false, ...pending });
      pending = undefined;
      blocks.push({ same: true, oldLines: value, newLines: value });
    } else {
      pending ??= { oldLines: [], newLines: [] };
      append(added ? pending.newLines : pending.oldLines, value);
    }
  }
  if (pending) blocks.push({ same: false, ...pending });
  return blocks;
}

/** A spread of a hundred thousand arguments would overflow the stack. */
function append<T>(list: T[], more: readonly T[]): void {
  for (const item of more) list.push(item);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
