import { diffArrays } from "diff";
import { pairLines } from "./pair-lines.ts";
import { readLines, type TextLines } from "./text-lines.ts";

/** One line of a diff. Line numbers are 1-based. */
export interface DiffRow {
  readonly kind: "same" | "removed" | "added" | "gap";
  /** In the old text for a removed line, else in the new one; of a gap, that of the line after it. */
  readonly number: number;
  readonly text: string;
  /** The line of the other side that this one was probably made from, or made into. */
  readonly counterpart?: string;
}

/** What changes from one text to the other, for people. */
export interface TextDiff {
  readonly added: number;
  readonly removed: number;
  /** What the lines do not show, such as other line endings. */
  readonly notes: readonly string[];
  readonly rows: readonly DiffRow[];
}

const CONTEXT = 3;
/** Texts that have little in common are not compared to the end. */
const PATIENCE_MS = 300;

/** A stretch of lines: the same on both sides, or one replaced by the other. */
interface Block {
  readonly same: boolean;
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
}

/**
 * Compares by lines.
 * @param before undefined when there is no old text
 */
export function diffTexts(before: string | undefined, after: string): TextDiff {
  const old = readLines(before ?? "");
  const next = readLines(after);
  const keepsCarriageReturns = old.ending === "mixed" || next.ending === "mixed";
  const oldLines = keepsCarriageReturns ? old.rawLines : old.lines;
  const newLines = keepsCarriageReturns ? next.rawLines : next.lines;
  const blocks = compare(oldLines, newLines);
  const changes = blocks.filter((block) => !block.same);
  return {
    added: sum(changes.map((block) => block.newLines.length)),
    removed: sum(changes.map((block) => block.oldLines.length)),
    notes: describe(before, after, old, next),
    rows: toRows(blocks),
  };
}

function describe(
  before: string | undefined,
  after: string,
  old: TextLines,
  next: TextLines,
): string[] {
  const notes: string[] = [];
  if (before === undefined) notes.push(after === "" ? "a new, empty file" : "a new file");
  else if (before === after) notes.push("nothing changes: the text is the same");
  else if (after === "") notes.push("the whole text is deleted");
  if (before === undefined || before === "" || after === "") return notes;
  if (old.ending && next.ending && old.ending !== next.ending) {
    notes.push(`line endings change from ${old.ending} to ${next.ending}`);
  }
  if (old.isEnded !== next.isEnded) {
    notes.push(`the line end at the end of the file is ${next.isEnded ? "added" : "removed"}`);
  }
  return notes;
}

function compare(before: readonly string[], after: readonly string[]): readonly Block[] {
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

function compareMiddle(before: string[], after: string[]): readonly Block[] {
  const isOneSided = before.length === 0 || after.length === 0;
  const changes = isOneSided ? undefined : diffArrays(before, after, { timeout: PATIENCE_MS });
  if (changes === undefined) return [{ same: false, oldLines: before, newLines: after }];
  const blocks: Block[] = [];
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

function toRows(blocks: readonly Block[]): readonly DiffRow[] {
  const rows: DiffRow[] = [];
  let oldNumber = 1;
  let newNumber = 1;
  for (const [index, block] of blocks.entries()) {
    const { same, oldLines, newLines } = block;
    if (same) {
      const isFirst = index === 0;
      const isLast = index === blocks.length - 1;
      append(rows, contextRows(newLines, newNumber, isFirst ? 0 : CONTEXT, isLast ? 0 : CONTEXT));
    } else {
      append(rows, changedRows(block, oldNumber, newNumber));
    }
    oldNumber += oldLines.length;
    newNumber += newLines.length;
  }
  return rows;
}

function contextRows(
  lines: readonly string[],
  first: number,
  head: number,
  tail: number,
): readonly DiffRow[] {
  const row = (index: number): DiffRow => ({
    kind: "same",
    number: first + index,
    text: lines[index] ?? "",
  });
  const range = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => row(from + index));
  if (lines.length <= head + tail) return range(0, lines.length);
  const gap: DiffRow = { kind: "gap", number: first + lines.length - tail, text: "" };
  const after = tail === 0 ? [] : range(lines.length - tail, lines.length);
  const isBetween = head > 0 && tail > 0;
  return [...range(0, head), ...(isBetween ? [gap] : []), ...after];
}

function changedRows(block: Block, oldNumber: number, newNumber: number): readonly DiffRow[] {
  const { oldLines, newLines } = block;
  const pairs = pairLines(oldLines, newLines);
  const targets = new Map(pairs.map(([from, to]) => [from, newLines[to]]));
  const sources = new Map(pairs.map(([from, to]) => [to, oldLines[from]]));
  const row = (
    kind: "removed" | "added",
    number: number,
    text: string,
    counterpart: string | undefined,
  ): DiffRow =>
    counterpart === undefined ? { kind, number, text } : { kind, number, text, counterpart };
  return [
    ...oldLines.map((text, index) => row("removed", oldNumber + index, text, targets.get(index))),
    ...newLines.map((text, index) => row("added", newNumber + index, text, sources.get(index))),
  ];
}

/** A spread of a hundred thousand arguments would overflow the stack. */
function append<T>(list: T[], more: readonly T[]): void {
  for (const item of more) list.push(item);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
