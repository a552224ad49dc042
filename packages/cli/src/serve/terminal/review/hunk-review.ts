import { type LineRange, splitLines, touches } from "@idewire/core/internal/hunks";
import { type DiffBlock, DiffRows } from "../diff/diff-rows.ts";
import { splitText } from "../diff/split-text.ts";
import { compareLines } from "../diff/text-diff.ts";

export type HunkVerdict = "accepted" | "rejected";

/** A part of a diff that is decided separately: changed lines, or all line endings. */
export interface Hunk {
  /** Its block, and the one after it; both 0 for the line endings. */
  readonly from: number;
  readonly to: number;
  /** A description, if no lines show the change. */
  readonly note?: string;
  /** Whether somebody else has changed its lines since the proposal. */
  readonly isConflict?: boolean;
  readonly verdict?: HunkVerdict;
}

/**
 * A proposal split into hunks: each is accepted or rejected, and the text is the exact result. This class
 * neither shows nor answers anything.
 */
export class HunkReview {
  readonly #before: string;
  readonly #after: string;
  /** Lines including their line breaks, so that nothing is lost. */
  readonly #blocks: readonly DiffBlock[];
  /** Set when all line endings change, which is a separate hunk. */
  readonly #endings: { readonly old: string; readonly next: string } | undefined;
  #hunks: readonly Hunk[];

  /** @param conflicts the lines of the text before that both sides have changed */
  constructor(before: string, after: string, conflicts: readonly LineRange[] = []) {
    this.#before = before;
    this.#after = after;
    const [old, next] = [splitText(before), splitText(after)];
    // A lone carriage return makes the line endings mixed.
    const isPure =
      [old.ending, next.ending].every((ending) => ending === "LF" || ending === "CRLF") &&
      !/\r(?!\n)/.test(before + after);
    const changes = isPure && old.ending !== next.ending;
    this.#endings = changes ? { old: endOf(old.ending), next: endOf(next.ending) } : undefined;
    const comparable = changes ? withEnding(after, endOf(old.ending)) : after;
    this.#blocks = compareLines(splitLines(before), splitLines(comparable));
    const note = `line endings change from ${old.ending} to ${next.ending}`;
    const endings = changes ? [{ from: 0, to: 0, note }] : [];
    this.#hunks = [...endings, ...hunksOf(this.#blocks, conflicts)];
  }

  get hunks(): readonly Hunk[] {
    return this.#hunks;
  }

  get isDone(): boolean {
    return this.#hunks.every(({ verdict }) => verdict !== undefined);
  }

  /** The result of the verdicts; undecided hunks are used as proposed. */
  get text(): string {
    if (this.#hunks.every(({ verdict }) => verdict !== "rejected")) return this.#after;
    const rejected = new Set<number>();
    for (const { from, to, verdict } of this.#hunks) {
      if (verdict !== "rejected") continue;
      for (let index = from; index < to; index++) rejected.add(index);
    }
    const lines = this.#blocks.flatMap(({ oldLines, newLines }, index) =>
      rejected.has(index) ? oldLines : newLines,
    );
    const text = joinLines(lines, this.#endings?.old ?? usualEnd(this.#before, this.#after));
    const [first] = this.#hunks;
    const keepsEndings = this.#endings === undefined || first?.verdict === "rejected";
    return keepsEndings ? text : withEnding(text, this.#endings.next);
  }

  decide(index: number, verdict: HunkVerdict | undefined): void {
    this.#hunks = this.#hunks.map((hunk, place) => {
      if (place !== index) return hunk;
      const { verdict: _, ...open } = hunk;
      return verdict === undefined ? open : { ...open, verdict };
    });
  }

  /** The rows of a hunk with context lines. */
  rowsOf({ from, to }: Hunk): DiffRows {
    const start = Math.max(0, from - 1);
    const shown = this.#blocks.slice(start, to === 0 ? 0 : to + 1).map(toShown);
    const above = this.#blocks.slice(0, start);
    return new DiffRows(shown, {
      old: 1 + count(above.map(({ oldLines }) => oldLines)),
      new: 1 + count(above.map(({ newLines }) => newLines)),
    });
  }

  /** The lines of a hunk in the text after, 1-based; of deleted lines, the line before which they were. */
  linesOf({ from, to }: Hunk): { readonly line: number; readonly endLine: number } {
    const line = 1 + count(this.#blocks.slice(0, from).map(({ newLines }) => newLines));
    const own = count(this.#blocks.slice(from, to).map(({ newLines }) => newLines));
    return { line, endLine: Math.max(line, line + own - 1) };
  }

  /** Whether a changed line contains a text. */
  holds({ from, to, note }: Hunk, text: string): boolean {
    const wanted = text.toLowerCase();
    const lines = this.#blocks
      .slice(from, to)
      .flatMap(({ same, oldLines, newLines }) => (same ? [] : [...oldLines, ...newLines]));
    return [note ?? "", ...lines].some((line) => line.toLowerCase().includes(wanted));
  }
}

function hunksOf(blocks: readonly DiffBlock[], conflicts: readonly LineRange[]): readonly Hunk[] {
  let line = 0;
  return blocks.flatMap(({ same, oldLines }, index) => {
    const own = { from: line, to: line + oldLines.length };
    line = own.to;
    const isConflict = conflicts.some((conflict) => touches(own, conflict));
    return same ? [] : [{ from: index, to: index + 1, ...(isConflict && { isConflict }) }];
  });
}

/** A line that is no longer the last one gets a line break. */
function joinLines(lines: readonly string[], end: string): string {
  return lines
    .map((line, index) => (index < lines.length - 1 && !line.endsWith("\n") ? line + end : line))
    .join("");
}

function withEnding(text: string, end: string): string {
  return text.replace(/\r?\n/g, end);
}

function endOf(ending: "LF" | "CRLF" | "mixed" | undefined): string {
  return ending === "CRLF" ? "\r\n" : "\n";
}

function usualEnd(before: string, after: string): string {
  return endOf(splitText(before).ending ?? splitText(after).ending);
}

/** A carriage return that most lines have is not shown. */
function toShown({ same, oldLines, newLines }: DiffBlock): DiffBlock {
  const isCrlf = [...oldLines, ...newLines].every((line) => !/[^\r]\n$/.test(line));
  if (!isCrlf) return { same, oldLines, newLines };
  const strip = (line: string) => line.replace(/\r\n$/, "\n");
  return { same, oldLines: oldLines.map(strip), newLines: newLines.map(strip) };
}

function count(lists: readonly (readonly string[])[]): number {
  return lists.reduce((sum, { length }) => sum + length, 0);
}
